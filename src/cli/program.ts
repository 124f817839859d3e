/** What the program says of itself: its version, and its own faults. */
import project from "../../deno.json" with { type: "json" };

/** Version of the program. */
export const VERSION: string = project.version;

/** The message for a fault of the program itself; the stack trace with `SOONG_DEBUG=1` only. */
export function describeCrash(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const trace = Deno.env.get("SOONG_DEBUG") === "1" && error instanceof Error ? `\n${error.stack}` : "";
  return `error: ${message}${trace}\n  hint: this is a fault of soong-agent; SOONG_DEBUG=1 shows where it happened`;
}
