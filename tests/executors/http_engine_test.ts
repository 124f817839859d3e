/** From an http hook in a file to what the user is told: through loader, engine and real requests. */
import assert from "node:assert/strict";
import { createHookEngine, createRegistry, DIALECTS, loadHookFiles } from "../../src/hooks/mod.ts";
import type { EmissionResult } from "../../src/hooks/mod.ts";
import { CALL, MOMENT, NEVER, SCOPE } from "../hooks/engine_support.ts";
import { withRecorder } from "./http_support.ts";
import { inPlace } from "./support.ts";

/** Loads onecode hooks for `pre_tool_call` and fires that point. */
async function fireTimes(times: number, hooks: readonly unknown[]): Promise<readonly EmissionResult[]> {
  const results: EmissionResult[] = [];
  await inPlace(async ({ home, project, executors }) => {
    const registry = createRegistry();
    const engine = createHookEngine(registry, DIALECTS, {
      ...{ scope: { ...SCOPE, project_dir: project }, executors, on_failure: "deny", mode: "enforce" },
      ...{ fail_closed_when_empty: false, now: () => new Date() },
    });
    const path = `${home}/hooks.json`;
    await Deno.writeTextFile(path, JSON.stringify({ pre_tool_call: [{ hooks }] }));
    const files = [{ path, source: "user", dialect: "onecode", base_priority: 100 }] as const;
    const loaded = await loadHookFiles({ files, project_dir: project, default_timeout_ms: 5000 });
    registry.replaceConfig(loaded.registrations);
    for (let time = 0; time < times; time++) {
      results.push(await engine.emit({ point: "pre_tool_call", call: CALL }, MOMENT, NEVER));
    }
  });
  return results;
}

function noticesOf(results: readonly EmissionResult[]): readonly string[] {
  return results.flatMap(({ notices }) => notices.map(({ code, message }) => `${code}: ${message}`));
}

Deno.test("http: an unset variable is one warning a hook, over all its requests (case 32)", async () => {
  await withRecorder(async ({ url, requests }) => {
    const hook = { type: "http", url, headers: { Authorization: "Bearer ${NO_SUCH_VAR}", "X-B": "${NO_OTHER}" } };
    const results = await fireTimes(3, [hook]);
    assert.equal(requests.length, 3);
    assert.ok(results.every(({ effect }) => effect === "proceed"));
    const [notice = "", ...others] = noticesOf(results);
    assert.deepEqual(others, []);
    assert.match(
      notice,
      /^hook_unset_variable: hook config:pre_tool_call:Http:[0-9a-f]{6} .*NO_SUCH_VAR in its header/,
    );
    assert.match(notice, /NO_OTHER in its header "X-B" are not set and stand for nothing\.$/);
  });
});

Deno.test("http: a refusal because of an unset variable is one notice that names both", async () => {
  await withRecorder(async ({ url, host }) => {
    const results = await fireTimes(2, [{ type: "http", url, headers: { Authorization: "${NO_SUCH_VAR}" } }]);
    const [notice = "", ...others] = noticesOf(results);
    assert.deepEqual(others, []);
    assert.match(notice, new RegExp(`^hook_undecided: .* failed: ${host}: HTTP 401; .*NO_SUCH_VAR in its header`));
  }, () => new Response(null, { status: 401 }));
});

Deno.test("http: what a onecode hook is answered never blocks, and its failure is no deny either", async () => {
  const refusal = '{"blockingError":{"error":"no"},"decision":"deny"}';
  await withRecorder(async ({ url }) => {
    const results = await fireTimes(1, [{ type: "http", url }, { type: "http", url: `${url}/fail` }]);
    assert.equal(results[0]?.effect, "proceed");
    assert.deepEqual(results[0]?.reports.map(({ outcome, cause }) => [outcome, cause]), [
      ["allow", undefined],
      ["undecided", "transport"],
    ]);
  }, ({ target }) => new Response(refusal, { status: target === "/fail" ? 500 : 200 }));
});

Deno.test("http: a once hook is asked until its request has succeeded (origin 29)", async () => {
  let asked = 0;
  await withRecorder(async ({ url }) => {
    await fireTimes(4, [{ type: "http", url, once: true }]);
    assert.equal(asked, 2);
  }, () => new Response(null, { status: ++asked === 1 ? 503 : 204 }));
});

Deno.test("http: no failure shows a key of its url or headers, and each names its host (case 31)", async () => {
  await withRecorder(async ({ url, host }) => {
    const results = await fireTimes(1, [
      { type: "http", url: `${url}/404?token=S3CRETKEY`, headers: { Authorization: "Bearer S3CRETHEADER" } },
      { type: "http", url: "http://no-such-host.invalid/hook/S3CRETKEY" },
      { type: "http", url: "htp//S3CRETKEY bad" },
      { type: "http", url: `https://user:S3CRETPW@${host}/ok` },
      { type: "http", url: "http://127.0.0.1:9/S3CRETKEY?x=S3CRETKEY" },
    ]);
    assert.doesNotMatch(JSON.stringify(results), /S3CRET/);
    const reasons = results[0]?.reports.map(({ reason }) => reason) ?? [];
    // Newer versions of Deno send nothing to some ports at all.
    const nothing = /^failed: 127\.0\.0\.1:9: (?:requests to this port are blocked|nothing listens there .*)$/;
    assert.match(reasons[4] ?? "", nothing);
    assert.deepEqual(reasons.slice(0, 4), [
      `failed: ${host}: HTTP 404`,
      "failed: no-such-host.invalid: the host name is unknown",
      'could not start: its "url" is no absolute http or https address',
      `failed: ${host}: it does not speak TLS`,
    ]);
  }, ({ target, headers }) => new Response(`${target} ${headers.get("authorization")}`, { status: 404 }));
});
