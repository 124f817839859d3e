/** Shapes of secrets that are recognisable as such in plain text. */

/** What kind of secret a text holds; undefined for none. The secret itself is never given back. */
export function findSecret(text: string): string | undefined {
  const start = text.slice(0, MAX_SCANNED);
  return SECRETS.find(({ pattern }) => pattern.test(start))?.kind;
}

/** Longer texts are scanned this far. */
const MAX_SCANNED = 65_536;

/** Formats as their issuers document them, and assignments to names that say so. A `$` begins a variable, no secret. */
const SECRETS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: "an Anthropic or OpenAI key", pattern: /\bsk-[A-Za-z0-9_-]{20,}/ },
  { kind: "a GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/ },
  { kind: "a GitLab token", pattern: /\bglpat-[A-Za-z0-9_-]{16,}/ },
  { kind: "an AWS access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { kind: "a Google API key", pattern: /\bAIza[A-Za-z0-9_-]{30,}/ },
  { kind: "a Slack token", pattern: /\bxox[abprs]-[A-Za-z0-9-]{10,}/ },
  {
    kind: "a chat webhook with its key",
    pattern: /https:\/\/\S{0,200}?(?:\/hook\/|\/services\/|[?&](?:key|access_token)=)[\w/-]{8,}/,
  },
  { kind: "a bearer token", pattern: /\bBearer\s+[A-Za-z0-9._~+/-]{16,}/i },
  { kind: "a password in a URL", pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@$]{1,100}:[^\s:/@$]{1,100}@/i },
  { kind: "a private key", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  {
    kind: "a secret",
    pattern:
      /\b\w{0,40}?(?:api_?key|secret|token|passw(?:or)?d)\w{0,40}\s{0,4}[=:]\s{0,4}["']?(?![$"'\s])[^\s"'$]{8,}/i,
  },
];
