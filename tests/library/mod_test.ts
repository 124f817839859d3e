/** The library's door: hooks from code and an agent made of parts. */
import assert from "node:assert/strict";
import { createHooks, hookFromCode, type Hooks, type HooksOptions, openAgent } from "../../src/mod.ts";
import { liveGroups } from "../../src/process/mod.ts";
import { playModel } from "../agent/support.ts";

interface Place {
  readonly project_dir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-library-" }));
  const place = {
    project_dir: `${root}/project`,
    home: `${root}/home`,
    env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", SECRET_KEY: "hidden", HOME: root },
  };
  try {
    await Deno.mkdir(place.project_dir);
    await Deno.mkdir(place.home);
    await work(place);
    assert.deepEqual(liveGroups(), []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const withHooks = (work: (hooks: Hooks, place: Place) => Promise<void>, options: Partial<HooksOptions> = {}) =>
  inPlace((place) => work(createHooks({ ...place, ...options }), place));
const command = (line: string) => ({ type: "command", command: line }) as const;
const call = (name: string) => ({ id: "c1", name, input: {}, tier: "dangerous", tags: [] }) as const;

Deno.test("a hook from code is asked where it matches, with the onecode payload", () =>
  withHooks(async (hooks, { project_dir: project }) => {
    hooks.register({
      id: "my-plugin:audit",
      point: "post_tool_call",
      matcher: "Bash",
      priority: 150,
      timeout_ms: 3000,
      executor: command("cat > payload.json; echo done"),
    });
    assert.equal(hooks.hasActive("post_tool_call", "Bash"), true);
    assert.equal(hooks.hasActive("post_tool_call", "bash"), true);
    assert.equal(hooks.hasActive("post_tool_call", "Read"), false);
    assert.equal(hooks.hasActive("output"), false);
    const result = { call_id: "c1", name: "Bash", is_error: false, content: "ok" };
    const { effect, message, reports } = await hooks.fire({ point: "post_tool_call", call: call("Bash"), result });
    assert.deepEqual([effect, message], ["proceed", "done"]);
    assert.deepEqual(reports.map(({ hook_id, source }) => [hook_id, source]), [["my-plugin:audit", "plugin"]]);
    const payload = JSON.parse(await Deno.readTextFile(`${project}/payload.json`));
    assert.deepEqual([payload.point, payload.toolName, payload.toolResponse], ["post_tool_call", "Bash", "ok"]);
  }));

Deno.test("hasActive follows the glob of the model id, and nothing is asked where it says no (O-17, O-113)", () =>
  withHooks(async (hooks) => {
    hooks.register({ id: "audit", point: "pre_model_call", matcher: "gpt-*", executor: command("echo seen") });
    assert.equal(hooks.hasActive("pre_model_call", "gpt-5"), true);
    assert.equal(hooks.hasActive("pre_model_call", "claude-5"), false);
    const messages = [{ role: "user", text: "hi" }] as const;
    const { reports } = await hooks.fire({ point: "pre_model_call", model_id: "claude-5", messages });
    assert.deepEqual(reports, []);
    assert.equal((await hooks.fire({ point: "pre_model_call", model_id: "gpt-5", messages })).message, "seen");
  }));

Deno.test("registry.register and engine.emit do the same below the door", () =>
  withHooks(async (hooks) => {
    hooks.register({ id: "my-plugin:gate", point: "input", executor: command("echo no >&2; exit 2") });
    const moment = { turn: 0, usage: { input_tokens: 0, output_tokens: 0 }, tool_call_count: 0, elapsed_ms: 0 };
    const signal = new AbortController().signal;
    const { verdict } = await hooks.engine.emit({ point: "input", prompt: "some user prompt" }, moment, signal);
    assert.deepEqual(verdict.decision === "deny" && verdict.reasons, ["no"]);
    assert.deepEqual(hooks.registry.snapshot().registrations.map(({ id }) => id), ["my-plugin:gate"]);
  }));

Deno.test("hooks from code survive every load of hook files, and can be taken away (O-32, O-34, O-43, O-47)", () =>
  withHooks(async (hooks, { home }) => {
    const path = `${home}/hooks.json`;
    const ids = () => hooks.engine.registrations.map(({ id }) => id.replace(/[0-9a-f]{6}$/, ""));
    const load = (content: unknown) =>
      Deno.writeTextFile(path, JSON.stringify(content)).then(() =>
        hooks.load([{ path, source: "user", dialect: "onecode", base_priority: 100 }])
      );
    const remove = hooks.register({ id: "my-plugin:audit", point: "input", executor: command("true") });
    await load({ input: [{ hooks: [{ command: "a" }, { command: "b" }] }] });
    assert.deepEqual(ids(), ["config:input:Command:", "config:input:Command:", "my-plugin:audit"]);
    assert.equal(hooks.engine.generation, 1);
    await load({ output: [{ hooks: [{ command: "c" }] }] });
    assert.deepEqual(ids(), ["config:output:Command:", "my-plugin:audit"]);
    await load({});
    assert.deepEqual(ids(), ["my-plugin:audit"]);
    remove();
    assert.deepEqual(ids(), []);
  }));

Deno.test("hooks out of a project's file are registered only where the project is trusted", async () => {
  for (const trusted of [false, true]) {
    await withHooks(async (hooks, { home }) => {
      const path = `${home}/project-hooks.json`;
      await Deno.writeTextFile(path, '{ "input": [ { "hooks": [ { "command": "touch PWNED" } ] } ] }');
      const loaded = await hooks.load([{ path, source: "project", dialect: "onecode", base_priority: 200 }]);
      assert.equal(loaded.registrations.length, 1);
      assert.equal(hooks.engine.registrations.length, trusted ? 1 : 0);
    }, { trusted });
  }
});

const REFUSED: readonly (readonly [what: string, hook: Parameters<Hooks["register"]>[0], says: RegExp])[] = [
  ["an id of files", { id: "config:input:x", point: "input", executor: command("x") }, /belong to files/],
  ["a point without onecode hooks", { id: "a", point: "stop", executor: command("x") }, /never asked at stop/],
  ["a limit of 0", { id: "a", point: "input", timeout_ms: 0, executor: command("x") }, /no positive number/],
  ["a limit that is none", { id: "a", point: "input", timeout_ms: NaN, executor: command("x") }, /no positive number/],
];

for (const [what, hook, says] of REFUSED) {
  Deno.test(`${what} is refused at once`, () =>
    withHooks((hooks) => {
      assert.throws(() => hooks.register(hook), { name: "TypeError", message: says });
      assert.deepEqual(hooks.engine.registrations, []);
      return Promise.resolve();
    }));
}

Deno.test("an id that is taken is refused, and the first hook stays", () =>
  withHooks((hooks) => {
    hooks.register({ id: "mine", point: "input", executor: command("x") });
    assert.throws(() => hooks.register({ id: "mine", point: "output", executor: command("y") }), /twice/);
    assert.deepEqual(hooks.engine.registrations.map(({ point }) => point), ["input"]);
    return Promise.resolve();
  }));

Deno.test("the limit of a hook from code holds, and a huge one does not fire at once", () =>
  withHooks(async (hooks) => {
    hooks.register({ id: "slow", point: "input", timeout_ms: 100, executor: command("sleep 30") });
    hooks.register({ id: "patient", point: "input", timeout_ms: 3e9, executor: command("sleep 0.2; echo there") });
    const { reports } = await hooks.fire({ point: "input", prompt: "p" });
    assert.deepEqual(reports.map(({ outcome, reason, message }) => [outcome, reason ?? message]), [
      ["undecided", "timed out after 100 ms"],
      ["allow", "there"],
    ]);
  }));

Deno.test("a function of the host can judge as an interceptor", () =>
  withHooks(async (hooks) => {
    const judged: unknown[] = [];
    hooks.register({
      id: "host:judge",
      point: "pre_tool_call",
      matcher: "Write|Edit",
      executor: {
        type: "interceptor",
        intercept: (context) => {
          judged.push(context);
          return { decision: "deny", reason: "host_policy", message: "not today" };
        },
      },
    });
    const denied = await hooks.fire({ point: "pre_tool_call", call: call("Edit") });
    assert.equal(denied.effect, "block");
    assert.equal(judged.length, 1);
    assert.equal((await hooks.fire({ point: "pre_tool_call", call: call("Bash") })).effect, "proceed");
  }));

for (const trusted of [false, true]) {
  Deno.test(`a hook that requires trust is ${trusted ? "asked in a trusted project" : "not asked without trust"}`, () =>
    withHooks((hooks) => {
      const remove = hooks.register({ id: "a", point: "input", executor: command("x"), requires_trust: true });
      hooks.register({ id: "b", point: "output", executor: command("x") });
      assert.equal(hooks.hasActive("input"), trusted);
      assert.equal(hooks.hasActive("output"), true);
      remove();
      assert.equal(hooks.hasActive("input"), false);
      return Promise.resolve();
    }, { trusted }));
}

Deno.test("hooks see the allowed part of the environment only", () =>
  withHooks(async (hooks) => {
    hooks.register({ id: "env", point: "input", executor: command('echo "[$SECRET_KEY][$SOONG_HOOK_EVENT]"') });
    assert.equal((await hooks.fire({ point: "input", prompt: "p" })).message, "[][input]");
  }));

Deno.test("an agent asks the hooks, and no mode lets it write into its home", () =>
  withHooks(async (hooks, place) => {
    const input = { file_path: `${place.home}/hooks.json`, content: "{}" };
    const { model, requests } = playModel([
      { calls: [{ id: "c1", name: "Write", arguments_text: JSON.stringify(input) }] },
      { text: "done" },
    ]);
    hooks.register({ id: "see", point: "pre_tool_call", executor: command("echo x >> seen") });
    const agent = openAgent({ ...place, model, hooks, permission_mode: "full" });
    const turn = agent.prompt("go", new AbortController().signal);
    let next = await turn.next();
    while (!next.done) next = await turn.next();
    assert.deepEqual(next.value, { reason: "completed", text: "done" });
    assert.equal(await Deno.readTextFile(`${place.project_dir}/seen`), "x\n");
    const [answer] = requests[1]!.messages.filter(({ role }) => role === "tool");
    assert.ok(answer?.role === "tool" && answer.is_error);
    await assert.rejects(Deno.stat(input.file_path));
  }));

Deno.test("an embedder declares profile, approval and identity provider; a name of the standard is refused", () => {
  const asked: unknown[] = [];
  const standard = {
    composition: { profile: "sequential/first_deny" },
    identity_provider: { name: "hmac-sha256-k1", identify: () => "id-1" },
    approval: (request: { readonly context_identity: string | null }) => {
      asked.push(request.context_identity);
      const { context_identity } = request;
      return Promise.resolve({ outcome: "approve", context_identity, verdict: { decision: "allow" } });
    },
  } as const;
  return withHooks(async (hooks) => {
    hooks.registry.register({
      ...hookFromCode({ id: "asks", point: "pre_tool_call", executor: command("x") }),
      speech: "agent-hooks/0.1",
      executor: { type: "interceptor", intercept: () => ({ decision: "deny", approval: {} }) },
    });
    const { effect, record } = await hooks.fire({ point: "pre_tool_call", call: call("Bash") });
    assert.equal(effect, "proceed");
    assert.deepEqual(asked, ["id-1"]);
    assert.deepEqual([record?.identity_provider, record?.resolved_by], ["hmac-sha256-k1", "approval"]);
    const claims = { ...standard, identity_provider: { name: "jcs-own", identify: () => "x" } };
    assert.throws(() => createHooks({ project_dir: "/", home: "/h", env: {}, standard: claims }), TypeError);
  }, { standard });
});
