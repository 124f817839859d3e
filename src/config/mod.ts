/**
 * config/ — the home, `config.toml`, workspace trust, permission rules, guarded paths, and the permissions ratchet.
 *
 * In: the home, the user's folder, the project and the environment, given by the caller; this room reads no
 * environment, no clock and no working directory by itself, and no file but the one it is asked to load. Out: a
 * `Config` with defaults filled in and placeholders expanded, and a finding with line and column for everything in
 * the file that is wrong. A configuration with an error among its findings must not be used: what is wrong is left
 * out of it. Nothing is ever written.
 *
 * Whether a rule matches and whether a path is guarded are pure questions about real paths; in doubt an allow matches
 * less, a deny and a guard more.
 */
export { DEFAULT_SENSITIVE, type ProtectedQuestion, protectionOf, sensitivePatternOf } from "./guarded_paths.ts";
export { type HomeSource, type ResolvedHome, resolveHome } from "./home.ts";
export { type ConfigSource, loadConfig } from "./load.ts";
export { matchesRule, type RuleEffect, type RulePlace } from "./match_rule.ts";
export { type ParsedRule, parsePermissionRule, type PermissionRule, type RuleSubject } from "./permission_rule.ts";
export type { PathPlaces } from "./placeholders.ts";
export type * from "./port.ts";
export { dropPermissions, PERMISSIONS_BY_COMMAND, type RatchetCommand } from "./ratchet.ts";
export {
  type Distrust,
  distrustOf,
  holdsHome,
  isWithin,
  readTrust,
  type TrustedFolder,
  trustFile,
  type TrustSource,
  type TrustState,
  type WorkspaceTrust,
  workspaceTrust,
} from "./trust.ts";
export { type JsonString, replaceJsonStrings } from "./trust_json.ts";
export { EMPTY_TRUST, formatTrustStore, parseTrustStore, type TrustedProject, type TrustStore } from "./trust_store.ts";
export { type ResolvedSettings, resolveSettings, SETTING_VARIABLES, type SettingFlags } from "./resolve_settings.ts";
