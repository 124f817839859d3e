import assert from "node:assert/strict";
import { loadText } from "../hook_files.ts";

const DEFAULT = 60_000;
const LARGEST = 2 ** 31 - 1;

/** What is written, the limit that holds, and the diagnostic. */
const LIMITS: readonly (readonly [written: string, limit_ms: number, diagnostic: string | undefined])[] = [
  ["", DEFAULT, undefined],
  ['"timeout": 10', 10_000, undefined],
  ['"timeout": 999', 999_000, undefined],
  [
    '"timeout": 0',
    DEFAULT,
    'error[bad-timeout]: "timeout" is 0, no positive number of seconds; the default of 60 s holds',
  ],
  [
    '"timeout": -1',
    DEFAULT,
    'error[bad-timeout]: "timeout" is -1, no positive number of seconds; the default of 60 s holds',
  ],
  [
    '"timeout": "5000"',
    DEFAULT,
    'error[bad-timeout]: "timeout" is "5000", no positive number of seconds; the default of 60 s holds',
  ],
  [
    '"timeout": null',
    DEFAULT,
    'error[bad-timeout]: "timeout" is null, no positive number of seconds; the default of 60 s holds',
  ],
  [
    '"timeout": true',
    DEFAULT,
    'error[bad-timeout]: "timeout" is true, no positive number of seconds; the default of 60 s holds',
  ],
  [
    '"timeout": [5]',
    DEFAULT,
    'error[bad-timeout]: "timeout" is [5], no positive number of seconds; the default of 60 s holds',
  ],
  [
    '"timeout": 1e400',
    DEFAULT,
    'error[bad-timeout]: "timeout" is 1e400, no positive number of seconds; the default of 60 s holds',
  ],
  [
    '"timeout": 0.0001',
    DEFAULT,
    'error[bad-timeout]: "timeout" is 0.0001, no positive number of seconds; the default of 60 s holds',
  ],
  ['"timeout": 1.5', 1500, 'hint[timeout-fraction]: "timeout": 1.5 is 1500 ms'],
  ['"timeout": 0.05', 50, 'warning[timeout-unit]: "timeout": 0.05 is only 50 ms'],
  ['"timeout": 30000', 30_000_000, 'warning[timeout-unit]: "timeout": 30000 is 8 h 20 min'],
  [
    '"timeout": 3000000000',
    LARGEST,
    `warning[timeout-unit]: "timeout": 3000000000 is 34722 days; cut to ${LARGEST} ms, the most a timer holds`,
  ],
  ['"timeout_ms": 5000', 5000, undefined],
  ['"timeout_ms": 10', 10, 'warning[timeout-unit]: "timeout_ms": 10 is only 10 ms'],
  [
    '"timeout_ms": 1.5',
    DEFAULT,
    'error[bad-timeout]: "timeout_ms" is 1.5, no positive whole number of milliseconds; the default of 60 s holds',
  ],
  [
    '"timeout_ms": 0',
    DEFAULT,
    'error[bad-timeout]: "timeout_ms" is 0, no positive whole number of milliseconds; the default of 60 s holds',
  ],
  [
    '"timeout_ms": 3000000000',
    LARGEST,
    `warning[timeout-unit]: "timeout_ms": 3000000000 is 35 days; cut to ${LARGEST} ms, the most a timer holds`,
  ],
  [
    '"timeout": 5, "timeout_ms": 200',
    200,
    'warning[two-timeouts]: "timeout" is ignored because "timeout_ms" is there too',
  ],
];

for (const [written, limit, diagnostic] of LIMITS) {
  Deno.test(`the limit of { ${written} } is ${limit} ms${diagnostic === undefined ? "" : " and is remarked on"}`, async () => {
    const hook = `{ "type": "command", "command": "true"${written && ", "}${written} }`;
    const { registrations, diagnostics } = await loadText(
      `{ "version": 1, "hooks": { "Stop": [{ "hooks": [${hook}] }] } }`,
    );
    assert.deepEqual(registrations.map(({ timeout_ms }) => timeout_ms), [limit]);
    assert.deepEqual(
      diagnostics.map(({ severity, code, message }) => `${severity}[${code}]: ${message}`),
      diagnostic === undefined ? [] : [diagnostic],
    );
  });
}

Deno.test("a bad limit is placed at its value and says what to write", async () => {
  const { diagnostics } = await loadText(
    '{ "version": 1, "hooks": { "Stop": [{ "hooks": [\n{ "command": "x", "type": "command", "timeout": 0 }] }] } }',
  );
  assert.deepEqual(diagnostics.map(({ line, column, path, hint }) => ({ line, column, path, hint })), [
    { line: 2, column: 49, path: "hooks.Stop[0].hooks[0].timeout", hint: 'write for example "timeout": 10' },
  ]);
});
