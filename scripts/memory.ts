/**
 * Peak memory of a whole run: 200 tool calls that each print 1 MB (Linux; reads VmHWM of the program).
 *
 *     deno task memory [PROGRAM]      without PROGRAM: main.ts on this Deno
 *
 * Prints the peak and exits 1 when it is above the bar.
 */
const CALLS = 200;
const BAR_MB = 300;

const folder = await Deno.makeTempDir({ prefix: "soong-memory-" });
const script = `${folder}/script.json`;
const call = { name: "Bash", input: { command: "head -c 1000000 /dev/zero | tr '\\0' x" } };
const turns: unknown[] = Array.from({ length: CALLS }, () => ({ tool_calls: [call] }));
await Deno.writeTextFile(script, JSON.stringify({ turns: [...turns, { text: "done" }] }));
await Deno.mkdir(`${folder}/project`);

const main = new URL("../main.ts", import.meta.url).pathname;
const program = Deno.args[0] === undefined ? [Deno.execPath(), "run", "-A", "--no-check", main] : [Deno.args[0]];
const child = new Deno.Command(program[0]!, {
  args: [
    ...program.slice(1),
    ...["run", "go", "--model", `script/${script}`, "--project", `${folder}/project`],
    ...["--permission-mode", "full", "--max-turns", String(CALLS + 1), "--output", "json"],
  ],
  env: { SOONG_AGENT_HOME: `${folder}/home` },
  stdin: "null",
  stdout: "piped",
  stderr: "inherit",
}).spawn();

let peakKb = 0;
const sampling = setInterval(() => {
  try {
    const status = Deno.readTextFileSync(`/proc/${child.pid}/status`);
    peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0));
  } catch {
    // It has just ended.
  }
}, 20);
const output = await child.output();
clearInterval(sampling);
const report = JSON.parse(new TextDecoder().decode(output.stdout)) as { tool_call_count: number; reason: string };
await Deno.remove(folder, { recursive: true });

const peakMb = Math.round(peakKb / 1024);
console.log(
  `${report.tool_call_count} tool calls of 1 MB, ended ${report.reason}: peak ${peakMb} MB (bar ${BAR_MB} MB)`,
);
const good = report.tool_call_count === CALLS && report.reason === "completed" && peakMb > 0 && peakMb < BAR_MB;
Deno.exit(good ? 0 : 1);
