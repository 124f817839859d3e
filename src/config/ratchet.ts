/**
 * The permissions ratchet: each command gives up, before anything else, every Deno permission that it does not need.
 */

/** What each command keeps. */
export const PERMISSIONS_BY_COMMAND = {
  "run": ["read", "write", "run", "env", "net"],
  "chat": ["read", "write", "run", "env", "net"],
  "hooks overview": ["read", "env"],
  "hooks validate": ["read", "env"],
  "hooks validate --fix": ["read", "write", "env"],
  "hooks list": ["read", "env"],
  "hooks events": ["read", "env"],
  "hooks status": ["read", "env"],
  "sessions list": ["read", "env"],
  "sessions show": ["read", "env"],
  "sessions verify": ["read", "env"],
  "tools": ["read", "env"],
  "trust": ["read", "write", "env"],
  "config show": ["read", "env"],
  "config path": ["read", "env"],
  "config init": ["read", "write", "env"],
  "help": ["env"],
  "version": [],
} as const satisfies Record<string, readonly Deno.PermissionName[]>;

/** A command with a row in `PERMISSIONS_BY_COMMAND`. */
export type RatchetCommand = keyof typeof PERMISSIONS_BY_COMMAND;

/** Gives up every permission of the process that is not named, for good. */
export function dropPermissions(keep: readonly Deno.PermissionName[]): void {
  for (const name of ALL_PERMISSIONS) {
    if (!keep.includes(name)) Deno.permissions.revokeSync({ name });
  }
}

const ALL_PERMISSIONS = [
  "read",
  "write",
  "net",
  "env",
  "sys",
  "run",
  "ffi",
] as const satisfies readonly Deno.PermissionName[];
