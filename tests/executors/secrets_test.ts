/** What `${NAME}`, `file:` and `dpapi:` in a setting stand for. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createSecretSource, type SecretSource, type SecretSourceParts } from "../../src/executors/mod.ts";
import { expandSecrets } from "../../src/executors/secrets.ts";
import { runCommand } from "../../src/process/mod.ts";

const VARIABLES: Readonly<Record<string, string>> = {
  A: "v1",
  A_2: "v2",
  EMPTY: "",
  NESTED: "${A} {{Cwd}}",
  WHOLE: "dpapi:AAAA",
};

function expand(text: string, source: SecretSource = { variable: (name) => VARIABLES[name] }) {
  return expandSecrets(text, source, new AbortController().signal);
}

const ROWS: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ["", "", [], []],
  ["https://h/x?y=z", "https://h/x?y=z", [], []],
  ["${UNDEFINED}/hook", "/hook", ["UNDEFINED"], []],
  ["${A}:${A_2}", "v1:v2", [], ["v1", "v2"]],
  ["${A}${A}${NO}${NO}", "v1v1", ["NO"], ["v1"]],
  ["[${EMPTY}]", "[]", [], []],
  ["${NESTED}", "${A} {{Cwd}}", [], ["${A} {{Cwd}}"]],
  ["${WHOLE}", "dpapi:AAAA", [], ["dpapi:AAAA"]],
  ["$A ${} ${A-B} $${A} ${ A } ${A", "$A ${} ${A-B} $${A} ${ A } ${A", [], []],
  ["Bearer file:/etc/passwd dpapi:AAAA", "Bearer file:/etc/passwd dpapi:AAAA", [], []],
];

for (const [written, text, missing, secrets] of ROWS) {
  Deno.test(`secrets: ${JSON.stringify(written)} comes to ${JSON.stringify(text)}, in one pass`, async () => {
    const expanded = await expand(written);
    assert.ok(expanded.ok);
    const { parts, ...rest } = expanded;
    assert.deepEqual(rest, { ok: true, text, missing, secrets });
    assert.equal(parts.map((part) => part.text).join(""), text);
    assert.deepEqual(
      parts.filter((part) => part.literal && part.text.includes("{{")).length,
      written === "${NESTED}" ? 1 : 0,
    );
  });
}

async function inHome(
  work: (home: string, source: SecretSource) => Promise<void>,
  changes: Partial<SecretSourceParts> = {},
): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "soong-secrets-" }));
  const variable = (name: string) => VARIABLES[name];
  const parts = { variable, user_home: home, platform: "linux", runCommand, child_env: {}, ...changes } as const;
  try {
    await work(home, createSecretSource(parts));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function reasonOf(text: string, source: SecretSource): Promise<string> {
  const expanded = await expand(text, source);
  assert.ok(!expanded.ok, "it is expanded");
  return expanded.reason;
}

Deno.test("secrets: file: is the content of a private file, without the line break at its end", async () => {
  await inHome(async (home, source) => {
    const path = join(home, "key");
    for (const [content, value] of [["a ${A} é\n", "a ${A} é"], ["a\r\n", "a"], ["a\n\n", "a\n"], ["", ""]] as const) {
      await Deno.writeTextFile(path, content, { mode: 0o600 });
      for (const written of [`file:${path}`, "file:~/key"]) {
        const secrets = value === "" ? [] : [value];
        assert.deepEqual(await expand(written, source), {
          ...{ ok: true, text: value, missing: [], secrets },
          parts: [{ text: value, literal: true }],
        });
      }
    }
  });
});

Deno.test("secrets: a file that others may read or change is refused, and the message says chmod 600", async () => {
  await inHome(async (home, source) => {
    const path = join(home, "key");
    await Deno.writeTextFile(path, "S3CRET");
    for (const mode of [0o640, 0o604, 0o644, 0o620, 0o602, 0o610, 0o777]) {
      await Deno.chmod(path, mode);
      const reason = `the secret file ~/key can be read or changed by others than you: run chmod 600 ~/key`;
      assert.equal(await reasonOf("file:~/key", source), reason);
    }
  });
});

Deno.test("secrets: what is no file to read a secret from is named, never waited for, and not quoted", async () => {
  await inHome(async (home, source) => {
    await Deno.mkdir(join(home, "folder"), { mode: 0o700 });
    await Deno.writeTextFile(join(home, "large"), "S3CRET".repeat(20_000), { mode: 0o600 });
    await Deno.writeFile(join(home, "binary"), new Uint8Array([0x53, 0xff, 0xfe]), { mode: 0o600 });
    await new Deno.Command("mkfifo", { args: ["-m", "600", join(home, "pipe")] }).output();
    assert.equal(await reasonOf("file:~/folder", source), "the secret file ~/folder is no regular file");
    assert.equal(await reasonOf("file:~/pipe", source), "the secret file ~/pipe is no regular file");
    assert.equal(await reasonOf("file:/dev/zero", source), "the secret file /dev/zero is no regular file");
    assert.equal(await reasonOf("file:~/none", source), "the secret file ~/none does not exist");
    assert.equal(await reasonOf("file:~/large", source), "the secret file ~/large is larger than 65536 bytes");
    assert.equal(await reasonOf("file:~/binary", source), "the secret file ~/binary is no UTF-8 text");
    assert.match(await reasonOf("file:key", source), /has no full path: write file:\/PATH or file:~\/PATH$/);
    assert.match(await reasonOf("file:", source), /has no full path/);
    assert.match(
      await reasonOf("file:~/a\0b", source),
      /^the secret file ~\/a\0b (?:could not be read|is no UTF-8 text)$/,
    );
  });
});

Deno.test("secrets: dpapi: elsewhere than on Windows fails without its value (origins 47, O-55)", async () => {
  await inHome(async (_home, source) => {
    const reason = await reasonOf("dpapi:not-base64!!", source);
    assert.equal(reason, "a dpapi: value can be decrypted on Windows only");
    assert.equal(await reasonOf("dpapi:S3CRET==", source), reason);
    assert.match(await reasonOf("dpapi:AAAA", { variable: () => undefined }), /cannot be decrypted here/);
    assert.match(await reasonOf("file:/x", { variable: () => undefined }), /no secret is read from a file here/);
  });
});

/** A program in the place of PowerShell, as Windows itself is not here. */
async function withPowerShell(script: string, work: (source: SecretSource) => Promise<void>): Promise<void> {
  await inHome(async (home) => {
    await Deno.writeTextFile(join(home, "powershell.exe"), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    await inHome(async (_home, source) => await work(source), {
      platform: "windows",
      child_env: { PATH: `${home}:${Deno.env.get("PATH")}` },
    });
  });
}

Deno.test("secrets: dpapi: on Windows is what PowerShell gives for the base64 on its stdin", async () => {
  await withPowerShell(
    'case "$*" in *QUFB*) exit 9;; esac; read kept || :; printf "plain of %s" "$kept"',
    async (source) => {
      const expanded = await expand("dpapi:QUFB", source);
      assert.ok(expanded.ok);
      assert.deepEqual([expanded.text, expanded.secrets], ["plain of QUFB", ["plain of QUFB"]]);
      assert.equal(await reasonOf("dpapi:not-base64!!", source), "what follows dpapi: is no base64");
      assert.equal(await reasonOf("dpapi:${A}", source), "what follows dpapi: is no base64");
    },
  );
});

Deno.test("secrets: what PowerShell says when it fails is not told", async () => {
  await withPowerShell("cat >&2; echo S3CRET; exit 1", async (source) => {
    const reason = await reasonOf("dpapi:QUFB", source);
    assert.match(reason, /^the dpapi: value could not be decrypted: PowerShell exited with code 1 /);
    assert.doesNotMatch(reason, /QUFB|S3CRET/);
  });
});
