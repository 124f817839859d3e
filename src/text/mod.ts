/**
 * text/ — what is done with text that came from outside, before it is shown, kept or compared.
 *
 * In: strings and bytes of any content and size. Out: strings safe to print, cut to a number of bytes, quoted on one
 * line, or with the values of templates in it; and two matchers, for globs and for regular expressions over lines.
 * Pure functions: no I/O, no clock. Nothing here throws for any input, and everything takes time linear in the text:
 * both matchers run on one finite automaton (`automaton.ts`), never on a backtracking engine.
 */
export { maskUrl } from "./mask_url.ts";
export { bareName, quoteName } from "./quote_name.ts";
export { cutBytes, type CutText } from "./cut_bytes.ts";
export { type GlobMatcher, globMatcher, type GlobOptions } from "./glob.ts";
export { type LinePattern, linePattern, type LinePatternOptions, type LinePatternResult } from "./line_pattern.ts";
export { terminalSafe } from "./terminal_safe.ts";
export { visibleText } from "./visible.ts";
export { NO_TEMPLATE_VALUES, TEMPLATE_FIELDS, type TemplateField, type TemplateFields } from "./template_fields.ts";
export { percentEncode, renderTemplate, templateInHost, type TemplatePart, type TemplatePlace } from "./templates.ts";
export { insecureUrl } from "./secure_url.ts";
