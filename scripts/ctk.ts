/**
 * Runs the vectors of agent-hooks/0.1 through the production loop; only the model and the tools are scripted.
 *
 *     deno task ctk DIR [--records FILE] [--report FILE]
 *
 * DIR holds the vectors (`AH-CTK-*.json`). Prints a line a vector and a table a part; exits 1 on any failure. `--records` writes
 * one JSON line a vector, so that another program can judge; `--report` writes the table into a document, between its markers.
 */
import { parseArgs } from "node:util";
import { runVectors } from "./ctk/run.ts";
import { judge } from "./ctk/judge.ts";
import { type PartResult, reportLines } from "./ctk/report.ts";
import { writeJson } from "../src/protocol/mod.ts";
import { withPart } from "./docs.ts";

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { records: { type: "string" }, report: { type: "string" } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error("Which folder holds the vectors? deno task ctk DIR [--records FILE] [--report FILE]");
  Deno.exit(2);
}

if (!await Deno.stat(folder).then((stat) => stat.isDirectory, () => false)) {
  console.error(`${folder} is no folder that can be read; it has to hold the vectors (AH-CTK-*.json)`);
  Deno.exit(2);
}

const results: PartResult[] = [];
const records: string[] = [];
for await (const { vector, record } of runVectors(folder)) {
  const problems = judge(vector, record);
  results.push({ part: vector.part ?? "lifecycle", passed: problems.length === 0 });
  records.push(writeJson(record));
  console.log(`${problems.length === 0 ? "pass" : "FAIL"}  ${vector.id}  ${vector.title}`);
  for (const problem of problems) console.log(`      ${problem}`);
}
const lines = reportLines(results);
console.log(`\n${lines.join("\n")}`);
if (values.records !== undefined) await Deno.writeTextFile(values.records, records.join("\n") + "\n");
if (values.report !== undefined) {
  const document = await Deno.readTextFile(values.report);
  await Deno.writeTextFile(values.report, withPart(document, "report", lines.join("\n")));
}
const failed = results.filter(({ passed }) => !passed).length;
console.log(`\n${results.length - failed} passed, ${failed} failed, 0 skipped`);
if (failed > 0 || results.length === 0) Deno.exit(1);
