import assert from "node:assert/strict";
import { type FileChange, shownTrustChange } from "../../src/cli/trust_diff.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function shown(before: string | undefined, now: string | undefined, more: Partial<FileChange> = {}) {
  return await shownTrustChange({
    name: "hooks.json",
    is_json: true,
    ...more,
    before: before === undefined ? undefined : bytes(before),
    now: now === undefined ? undefined : bytes(now),
  });
}

Deno.test("a changed secret is seen as a change, and neither the old nor the new one is shown", async () => {
  const fields: readonly (readonly [what: string, field: (secret: string) => unknown])[] = [
    ["secret", (secret) => ({ secret })],
    ["secret in another case", (secret) => ({ Secret: secret })],
    ["webhookUrl, path", (secret) => ({ webhookUrl: `https://open.test/hook/${secret}` })],
    ["webhookUrl, query", (secret) => ({ webhookURL: `https://open.test/send?key=${secret}` })],
    ["url, user", (secret) => ({ url: `https://me:${secret}@open.test/` })],
    ["header", (secret) => ({ headers: { "X-Anything": secret } })],
    ["environment of an MCP server", (secret) => ({ mcpServers: { a: { env: { TOKEN: secret } } } })],
  ];
  for (const [what, field] of fields) {
    const text = (secret: string) => JSON.stringify({ input: [{ hooks: [field(secret)] }] }, undefined, 1);
    const diff = await shown(text("hunter2old"), text("hunter2new"));
    assert.doesNotMatch(diff, /hunter2/, what);
    assert.match(diff, /^-.*\(1\)".*\n\+.*\(2\)"/m, what);
  }
});

Deno.test("what runs is shown as it is: commands, arguments, hosts, and names of secrets", async () => {
  const text = (word: string) =>
    JSON.stringify(
      {
        command: `sh ${word}`,
        args: ["-c", word],
        url: `https://${word}.test/x`,
        secret: `\${${word}}`,
        headers: { A: `file:/etc/${word}` },
      },
      undefined,
      1,
    );
  const diff = await shown(text("OLD"), text("NEW"));
  assert.equal(diff.match(/^-.*OLD/gm)?.length, 5, diff);
  assert.equal(diff.match(/^\+.*NEW/gm)?.length, 5, diff);
});

Deno.test("what cannot be shown as a diff is said in one line", async () => {
  const many = (word: string) => Array.from({ length: 60_000 }, (_, index) => `${word}${index}`).join("\n");
  const rows: readonly (readonly [what: string, text: Promise<string>, says: RegExp])[] = [
    ["broken JSON", shown('{"secret":"hunter2"}', '{"secret":"hunter2"'), /^hooks\.json: changed; not shown.*no valid/],
    ["broken before", shown('{"secret":"hunter2"', "{}"), /^hooks\.json: changed; not shown/],
    ["no text", shownTrustChange(binary(0xff, 0xfe)), /^tool: changed; not shown, it is no text \(1 bytes before, 1/],
    ["all lines", shown(many("a"), many("b"), { is_json: false }), /: changed, too much to show line by line/],
    ["a large file", shown("x".repeat(3_000_000), "y", { is_json: false }), /: changed, too much to show/],
    ["a mark that is not shown", shown("\ufeff{}", "{}"), /: changed in bytes that show no difference/],
  ];
  for (const [what, text, says] of rows) {
    assert.match(await text, says, what);
    assert.doesNotMatch(await text, /hunter2|\n/, what);
  }
});

Deno.test("a file that came or went is shown whole", async () => {
  assert.match(await shown(undefined, '{\n"a": 1\n}'), /not trusted[^]*\+"a": 1/);
  assert.match(await shown('{\n"a": 1\n}', undefined), /gone[^]*-"a": 1/);
});

Deno.test("a name cannot forge lines of the diff", async () => {
  const diff = await shown("a\n", "b\n", { name: "x\n+++ forged", is_json: false });
  assert.doesNotMatch(diff, /^\+\+\+ forged/m);
  assert.match(diff, /x\\n\+\+\+ forged/);
});

function binary(before: number, now: number): FileChange {
  return { name: "tool", before: new Uint8Array([before]), now: new Uint8Array([now]), is_json: false };
}
