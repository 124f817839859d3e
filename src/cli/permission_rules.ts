/** provisional */
import type { PermissionRules } from "../agent/mod.ts";
import type { Settings } from "./config_setup.ts";
export function createPermissionRules({ settings }: { settings: Settings; [key: string]: unknown }): PermissionRules {
  return {
    mode: settings.permission_mode,
    protectedBy: () => undefined,
    deniedBy: () => undefined,
    sensitiveBy: () => undefined,
    allowedBy: () => undefined,
  };
}
