/**
 * Templates of http and notification hooks: `{{Field}}` (design.md, section 6.1).
 *
 * One pass: what a field stands for is never read as a template again. Names are case-sensitive; an unknown one stays
 * as it is written, one without a value becomes nothing. Values are data: each is written so that it cannot leave its
 * place.
 */
import type { TemplateField, TemplateFields } from "./template_fields.ts";
import { NO_TEMPLATE_VALUES, TEMPLATE_FIELDS } from "./template_fields.ts";

/** A piece of a setting; in a `literal` one, which a secret expanded to, no template is looked for. */
export interface TemplatePart {
  readonly text: string;
  readonly literal: boolean;
}

/** Where a template stands, which decides how values are written there. */
export type TemplatePlace = keyof typeof PLACES;

/** The text with the values of its fields in it. */
export function renderTemplate(
  template: string | readonly TemplatePart[],
  fields: TemplateFields,
  place: TemplatePlace,
): string {
  const parts = typeof template === "string" ? [{ text: template, literal: false }] : template;
  return renderWith(parts, fields, PLACES[place](parts));
}

/** Writes the values of one template, from its beginning to its end. */
interface PlaceWriter {
  /** Takes note of text that is sent as it is. */
  pass(text: string): void;
  write(value: string): string;
}

/** How values are written in each place. */
const PLACES = {
  /** As string content between the quotes of a JSON text, as a whole string elsewhere in it. */
  json: (parts) => jsonWriter(isJsonTemplate(parts)),
  /** Percent-encoded, so that a value holds no delimiter of a URL and is no dot segment of its path. */
  url: urlWriter,
  /** Percent-encoded, as in `application/x-www-form-urlencoded`. */
  form: () => always(percentEncode),
  /** On one line, without control characters. */
  header: () => always((value) => value.replace(NOT_ON_ONE_LINE, " ")),
  /** As it is. */
  text: () => always((value) => value),
} as const satisfies Record<string, (parts: readonly TemplatePart[]) => PlaceWriter>;

/** `encodeURIComponent`, and the marks that it leaves but that delimit something in one part of a URL or another. */
export function percentEncode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => "%" + mark.charCodeAt(0).toString(16).toUpperCase(),
  );
}

/**
 * The first template that stands in the scheme, the user, the host or the port of a URL; undefined when there is none.
 * A model chooses what fields stand for, and must not choose where a request goes. Unknown fields count too: they would
 * make a host that nobody meant.
 */
export function templateInHost(url: string): string | undefined {
  // Readers of URLs leave these out before they look for the parts.
  const [authority = ""] = AUTHORITY.exec(url.replace(/[\t\n\r]/g, "")) ?? [];
  return /\{\{\w+\}\}/.exec(authority)?.[0];
}

/** Everything before the path, the query or the fragment, which a backslash begins as well. */
// deno-lint-ignore no-control-regex -- what stands before a URL and is not read
const AUTHORITY = /^[\x00-\x20]*(?:[^/\\?#]*:)?(?:[/\\]*[^/\\?#]*)/;

function renderWith(parts: readonly TemplatePart[], fields: TemplateFields, writer: PlaceWriter): string {
  const pass = (text: string) => (writer.pass(text), text);
  return parts.map(({ text, literal }) => {
    if (literal) return pass(text);
    // Written text and names of fields take turns.
    return text.split(TEMPLATE).map((piece, index) => {
      if (index % 2 === 0) return pass(piece);
      return isField(piece) ? writer.write(fields[piece] ?? "") : pass(`{{${piece}}}`);
    }).join("");
  }).join("");
}

const TEMPLATE = /\{\{(\w+)\}\}/;

function isField(name: string): name is TemplateField {
  return (TEMPLATE_FIELDS as readonly string[]).includes(name);
}

function always(write: (value: string) => string): PlaceWriter {
  return { pass: () => {}, write };
}

// deno-lint-ignore no-control-regex -- these end or break a header
const NOT_ON_ONE_LINE = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]+/g;

function urlWriter(): PlaceWriter {
  let inPath = true;
  return {
    pass: (text) => void (inPath &&= !/[?#]/.test(text)),
    // `%2E%2E` is a dot segment as much as `..` is, so that a value of dots is encoded twice in a path.
    write: (value) => inPath && /^\.{1,2}$/.test(value) ? value.replaceAll(".", "%252E") : percentEncode(value),
  };
}

function jsonWriter(quoted: boolean): PlaceWriter {
  let inString = false;
  let escaped = false;
  return {
    pass(text) {
      for (const unit of text) {
        if (inString && !escaped && unit === "\\") escaped = true;
        else {
          if (unit === '"' && !escaped) inString = !inString;
          escaped = false;
        }
      }
    },
    write(value) {
      const json = JSON.stringify(value.toWellFormed());
      if (!inString && quoted) return json;
      // A backslash before the value would escape its first character, and so could end the string.
      const closing = escaped ? "\\" : "";
      escaped = false;
      return closing + json.slice(1, -1);
    },
  };
}

/** Whether the template is one JSON text when values outside of strings are strings. */
function isJsonTemplate(parts: readonly TemplatePart[]): boolean {
  try {
    JSON.parse(renderWith(parts, NO_TEMPLATE_VALUES, jsonWriter(true)));
    return true;
  } catch {
    return false;
  }
}
