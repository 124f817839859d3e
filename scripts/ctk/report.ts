/** The table of a run by part. */

/** One vector's result. */
export interface PartResult {
  readonly part: string;
  readonly passed: boolean;
}

/** Lines of a Markdown table. */
export function reportLines(results: readonly PartResult[]): readonly string[] {
  const parts = Map.groupBy(results, ({ part }) => part);
  const rows = [...parts].sort(([left], [right]) => left < right ? -1 : 1).map(([part, own]) => {
    const passed = own.filter((one) => one.passed).length;
    return `| ${part} | ${own.length} | ${passed} | ${own.length - passed} |`;
  });
  const passed = results.filter((one) => one.passed).length;
  return [
    "| part | vectors | passed | failed |",
    "|---|---|---|---|",
    ...rows,
    `| all | ${results.length} | ${passed} | ${results.length - passed} |`,
  ];
}
