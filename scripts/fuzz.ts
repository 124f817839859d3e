/**
 * Feeds what comes from outside with rubbish: no crash, no wait over a second, no allow out of rubbish, findings inside the file.
 *
 *     deno task fuzz [--runs N] [--seed N] [TARGET...]
 *
 * Prints one line a target with its seed and how long the slowest case took; exits 1 on the first failure, which is printed with
 * the case that made it. Bounded: the same seed and number of runs give the same cases.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { TARGETS } from "./fuzz/targets.ts";

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { runs: { type: "string", default: "2000" }, seed: { type: "string" } },
});
const runs = Number(values.runs);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const unknown = positionals.filter((name) => !Object.hasOwn(TARGETS, name));
if (!Number.isSafeInteger(runs) || !Number.isSafeInteger(seed) || unknown.length > 0) {
  console.error(
    `Cannot fuzz ${unknown.join(", ") || "with these numbers"}; targets: ${Object.keys(TARGETS).join(", ")}`,
  );
  Deno.exit(2);
}

/** Longest time of one case, in milliseconds. */
const SLOWEST_MS = 1000;

for (const [name, target] of Object.entries(TARGETS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  let slowest = 0;
  const property = target(async (work) => {
    const begun = performance.now();
    await work();
    const took = performance.now() - begun;
    slowest = Math.max(slowest, took);
    if (took > SLOWEST_MS) throw new Error(`this case took ${Math.round(took)} ms`);
  });
  const result = await fc.check(property, { numRuns: runs, seed });
  const line = `${name.padEnd(16)} ${result.numRuns} cases, seed ${seed}, slowest ${Math.round(slowest)} ms`;
  if (!result.failed) {
    console.log(`ok    ${line}`);
    continue;
  }
  console.log(`FAIL  ${line}\n${fc.defaultReportMessage(result)}`);
  Deno.exit(1);
}
