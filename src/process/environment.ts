/** Which variables of the agent's environment a child gets to see. */

const POSIX_NAMES = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_*",
  "TZ",
  "TERM",
  "TMPDIR",
] as const;

/** What `cmd.exe`, PowerShell and most programs cannot start without. */
const WINDOWS_NAMES = [
  "SystemRoot",
  "SystemDrive",
  "windir",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramData",
  "ProgramFiles",
  "ProgramFiles(x86)",
  "NUMBER_OF_PROCESSORS",
  "PROCESSOR_ARCHITECTURE",
  "OS",
] as const;

const WINDOWS = Deno.build.os === "windows";

/**
 * Names that reach a child unless the user says otherwise (`runner.env_allowlist`). A `*` at the end stands for the
 * rest.
 */
export const DEFAULT_ENV_ALLOWLIST: readonly string[] = WINDOWS ? [...POSIX_NAMES, ...WINDOWS_NAMES] : POSIX_NAMES;

/**
 * The environment of a child: the variables of `source` whose names are on the list, then `extra`, which wins. Names
 * are compared case-sensitively, on Windows without case, as the system does.
 */
export function childEnvironment(
  source: Readonly<Record<string, string>>,
  allowlist: readonly string[],
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const exact = new Set(allowlist.filter((name) => !name.endsWith("*")).map(fold));
  const prefixes = allowlist.filter((name) => name.endsWith("*")).map((name) => fold(name.slice(0, -1)));
  const own = new Set(Object.keys(extra).map(fold));
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    const folded = fold(name);
    if (own.has(folded)) continue;
    if (exact.has(folded) || prefixes.some((prefix) => folded.startsWith(prefix))) chosen[name] = value;
  }
  return { ...chosen, ...extra };
}

function fold(name: string): string {
  return WINDOWS ? name.toUpperCase() : name;
}
