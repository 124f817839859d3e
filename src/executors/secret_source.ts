/** Where secrets come from on this machine: its environment, files of the user, and the keys of Windows. */
import { isAbsolute, join } from "node:path";
import type { CommandResult, RunCommand } from "../process/mod.ts";
import type { SecretSource, SecretValue } from "./secrets.ts";

/** What a source of secrets is made of. */
export interface SecretSourceParts {
  readonly variable: (name: string) => string | undefined;
  /** Absolute; what `~` stands for in `file:~/…`. */
  readonly user_home: string;
  readonly platform: typeof Deno.build.os;
  readonly runCommand: RunCommand;
  /** Environment of PowerShell; its PATH says where that is. */
  readonly child_env: Readonly<Record<string, string>>;
}

/** A source that reads files, and that decrypts on Windows. */
export function createSecretSource(parts: SecretSourceParts): SecretSource {
  return {
    variable: parts.variable,
    readFile: (path, signal) => readSecretFile(path, parts, signal),
    decrypt: (base64, signal) => decrypt(base64, parts, signal),
  };
}

/** Longest secret in a file, in bytes; a whole certificate chain fits. */
const MAX_SECRET_BYTES = 64 * 1024;

async function readSecretFile(written: string, parts: SecretSourceParts, signal: AbortSignal): Promise<SecretValue> {
  const path = /^~[/\\]/.test(written) ? join(parts.user_home, written.slice(2)) : written;
  const failed = (what: string): SecretValue => ({ ok: false, reason: `the secret file ${written} ${what}` });
  if (!isAbsolute(path)) return failed("has no full path: write file:/PATH or file:~/PATH");
  try {
    // Opening a pipe would wait for its writer, so the kind is known before.
    if (!(await Deno.stat(path)).isFile) return failed("is no regular file");
    using file = await Deno.open(path, { read: true });
    const { isFile, mode } = await file.stat();
    if (!isFile) return failed("is no regular file");
    if (parts.platform !== "windows" && mode !== null && (mode & 0o077) !== 0) {
      return failed(`can be read or changed by others than you: run chmod 600 ${written}`);
    }
    const bytes = await readUpTo(file, MAX_SECRET_BYTES + 1, signal);
    if (bytes.length > MAX_SECRET_BYTES) return failed(`is larger than ${MAX_SECRET_BYTES} bytes`);
    const value = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
    return { ok: true, value };
  } catch (error) {
    const [, what] = FILE_FAILURES.find(([type]) => error instanceof type) ?? [];
    return failed(what ?? "could not be read");
  }
}

const FILE_FAILURES: readonly (readonly [new () => Error, string])[] = [
  [Deno.errors.NotFound, "does not exist"],
  [Deno.errors.PermissionDenied, "must not be read by this user"],
  [Deno.errors.NotCapable, "must not be read by this program"],
  [TypeError, "is no UTF-8 text"],
];

async function readUpTo(file: Deno.FsFile, limit: number, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = new Uint8Array(limit);
  let length = 0;
  while (length < limit && !signal.aborted) {
    const count = await file.read(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** Reads base64 on stdin and writes the bytes behind it; the secret is on no command line. */
const UNPROTECT = [
  "$ErrorActionPreference = 'Stop'",
  "Add-Type -AssemblyName System.Security",
  "$kept = [Convert]::FromBase64String([Console]::In.ReadToEnd().Trim())",
  "$plain = [Security.Cryptography.ProtectedData]::Unprotect($kept, $null, 'CurrentUser')",
  "$out = [Console]::OpenStandardOutput()",
  "$out.Write($plain, 0, $plain.Length)",
].join("; ");

const DECRYPT_TIMEOUT_MS = 30_000;

async function decrypt(base64: string, parts: SecretSourceParts, signal: AbortSignal): Promise<SecretValue> {
  const failed = (reason: string): SecretValue => ({ ok: false, reason });
  if (parts.platform !== "windows") return failed("a dpapi: value can be decrypted on Windows only");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64.trim())) return failed("what follows dpapi: is no base64");
  const result = await parts.runCommand({
    command: ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", UNPROTECT],
    cwd: parts.user_home,
    root: parts.user_home,
    env: parts.child_env,
    stdin: new TextEncoder().encode(base64.trim()),
    timeout_ms: DECRYPT_TIMEOUT_MS,
    kill_grace_ms: 0,
    max_output_bytes: MAX_SECRET_BYTES,
    signal,
  });
  const failure = failureOf(result);
  if (failure !== undefined) return failed(`the dpapi: value could not be decrypted: PowerShell ${failure}`);
  try {
    return { ok: true, value: new TextDecoder("utf-8", { fatal: true }).decode(result.stdout.bytes) };
  } catch {
    return failed("the dpapi: value decrypts to something that is no UTF-8 text");
  }
}

/** What PowerShell printed is not told: an error text may quote its input. */
function failureOf({ ending, stdout }: CommandResult): string | undefined {
  switch (ending.kind) {
    case "exited":
      if (ending.code !== 0) return `exited with code ${ending.code} (was it encrypted by another user or machine?)`;
      return stdout.truncated ? "printed more than a secret can be" : undefined;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "timed_out":
      return `timed out after ${ending.limit_ms} ms`;
    case "cancelled":
      return "was cancelled";
    case "not_started":
      return "could not be started";
  }
}
