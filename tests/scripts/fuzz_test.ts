/** Each target of `deno task fuzz`, a little at every test run. */
import fc from "fast-check";
import { TARGETS } from "../../scripts/fuzz/targets.ts";

for (const [name, target] of Object.entries(TARGETS)) {
  Deno.test(`rubbish does no harm: ${name}`, async () => {
    await fc.assert(target(async (work) => await work()), { numRuns: 150 });
  });
}
