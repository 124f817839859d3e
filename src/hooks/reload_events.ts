/** What is said about files after a reload, beside the change of the hooks: failures, ends, findings that are new. */
import { type Diagnostic, type EventBody, formatDiagnostic } from "../protocol/mod.ts";

/** What has to be known of a file. */
export interface ReloadedFile {
  readonly path: string;
  readonly status: "not_found" | "loaded" | "failed";
  readonly diagnostics: readonly Diagnostic[];
  readonly kept_since?: string;
}

/** Findings of one file that are said one by one; the rest is a number. */
const MAX_FINDINGS = 20;

/** The files whose status is another one, and the events about those that are no good. */
export function fileEvents(
  before: readonly ReloadedFile[],
  after: readonly ReloadedFile[],
): { readonly changed: readonly string[]; readonly events: readonly EventBody[] } {
  const old = Map.groupBy(before, ({ path }) => path);
  const changed: string[] = [];
  const events: EventBody[] = [];
  for (const file of after) {
    const previous = old.get(file.path) ?? [];
    const isOther = (previous[0]?.status ?? "not_found") !== file.status;
    // A file that fails leaves its hooks as they were: that is said, and is no change.
    if (isOther && file.status !== "failed") changed.push(file.path);
    const known = new Set(previous.flatMap(({ diagnostics }) => diagnostics.map(formatDiagnostic)));
    const fresh = file.diagnostics.filter((one) => one.severity !== "hint" && !known.has(formatDiagnostic(one)));
    switch (file.status) {
      case "failed":
        if (isOther || fresh.length > 0) events.push(failure(file));
        break;
      case "not_found":
        if (isOther) events.push(warning("config_file_gone", `${file.path} is gone: nothing of it is active any more`));
        break;
      case "loaded":
        events.push(...findings(file.path, fresh));
    }
  }
  return { changed, events };
}

function failure({ path, diagnostics, kept_since: since }: ReloadedFile): EventBody {
  const first = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
  const what = first === undefined ? `${path} cannot be used` : withoutHint(first);
  const stays = since === undefined
    ? "nothing of this file is active"
    : `what was loaded at ${since} stays in force until the file is repaired`;
  return warning("hook_file_failed", `${what}; ${stays}`);
}

/** What to do about it is in the overview; here it would stand in the middle of a sentence. */
function withoutHint({ hint: _, ...finding }: Diagnostic): string {
  return formatDiagnostic(finding);
}

function findings(path: string, fresh: readonly Diagnostic[]): readonly EventBody[] {
  const said = fresh.slice(0, MAX_FINDINGS).map((one) => warning("hook_file", formatDiagnostic(one)));
  const rest = fresh.length - said.length;
  return rest === 0 ? said : [...said, warning("hook_file", `${path} has ${rest} more findings`)];
}

function warning(code: string, message: string): EventBody {
  return { type: "warning", code, message };
}
