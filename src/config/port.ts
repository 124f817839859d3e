/** The configuration as the rest of the program sees it: defaults filled in, placeholders expanded. */
import type { Diagnostic } from "../protocol/mod.ts";

export type PermissionMode = "ask" | "accept-edits" | "read-only" | "full";

/** A named provider of `[providers.X]`. */
export interface ProviderConfig {
  readonly type: "openai-compatible" | "anthropic" | "google";
  readonly base_url: string;
  readonly api_key_env?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** All settings. */
export interface Config {
  readonly model?: string;
  readonly max_turns: number;
  readonly max_tokens?: number;
  readonly hooks: {
    readonly enabled: boolean;
    readonly strict: boolean;
    readonly sources: readonly ("soong" | "onecode" | "claude")[];
    readonly mode: "enforce" | "evaluate_only";
    readonly on_failure: "allow" | "deny";
    readonly default_timeout_ms: number;
    readonly max_stop_denials: number;
    readonly fail_closed_when_empty: boolean;
    /** How hooks that speak agent-hooks/0.1 are combined; its knobs are the three below. */
    readonly profile: "sequential/first_deny" | "sequential/run_all" | "parallel/strictest" | "parallel/unanimous";
    readonly on_approval: "stop" | "resume";
    readonly on_disagreement: "deny" | "approval";
    readonly on_transform_conflict: "deny" | "approval";
    /** Hooks that speak agent-hooks/0.1 are asked about each part of an answer, which is then shown. */
    readonly incremental: boolean;
  };
  readonly permissions: {
    readonly mode: PermissionMode;
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    readonly sensitive: readonly string[];
    readonly added_dirs: readonly string[];
  };
  readonly runner: {
    readonly env_allowlist: readonly string[];
    readonly kill_grace_ms: number;
    readonly max_output_bytes: number;
  };
  readonly tools: { readonly bash_timeout_ms: number };
  readonly models: { readonly idle_timeout_ms: number; readonly max_retries: number };
  readonly plan: { readonly default_dir: string };
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly trust: {
    /** As written; `~` is expanded where they are used. */
    readonly directories: readonly string[];
    /** Whether the user's own onecode hooks need a trusted workspace. */
    readonly user_hooks: "trusted" | "always";
    /** A trusted folder is not enough for a project's files: their content has to be trusted too. */
    readonly pin: boolean;
  };
}

/** A loaded configuration: usable only when no diagnostic is an error. */
export interface LoadedConfig {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute path of `config.toml`, whether it exists or not. */
  readonly path: string;
  readonly exists: boolean;
}
