/** The fields that templates of hooks may name. */

/** Every field, as written between double braces; case-sensitive (design.md, section 6.1). */
export const TEMPLATE_FIELDS = [
  "Point",
  "SessionId",
  "Cwd",
  "ToolName",
  "UserMessage",
  "AgentId",
  "AgentType",
  "Timestamp",
] as const;

/** One field of `TEMPLATE_FIELDS`. */
export type TemplateField = typeof TEMPLATE_FIELDS[number];

/** What each field stands for at one emission; null where it has no meaning, which templates show as nothing. */
export type TemplateFields = Readonly<Record<TemplateField, string | null>>;

/** Fields that all stand for nothing. */
export const NO_TEMPLATE_VALUES: TemplateFields = {
  Point: null,
  SessionId: null,
  Cwd: null,
  ToolName: null,
  UserMessage: null,
  AgentId: null,
  AgentType: null,
  Timestamp: null,
};
