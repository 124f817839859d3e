import assert from "node:assert/strict";
import {
  NO_TEMPLATE_VALUES,
  percentEncode,
  renderTemplate,
  TEMPLATE_FIELDS,
  templateInHost,
  type TemplatePlace,
} from "../../src/text/mod.ts";

const VALUE = `a "b"\n#?&=/..\\ {{Point}} é`;
const FIELDS = { ...NO_TEMPLATE_VALUES, Point: "input", UserMessage: VALUE, ToolName: "..", SessionId: "s1" };

Deno.test("templates: each field alone is its value (O-65), and one without a value is nothing (O-69)", () => {
  for (const field of TEMPLATE_FIELDS) {
    assert.equal(renderTemplate(`[{{${field}}}]`, { ...NO_TEMPLATE_VALUES, [field]: "value" }, "text"), "[value]");
    assert.equal(renderTemplate(`[{{${field}}}]`, NO_TEMPLATE_VALUES, "text"), "[]");
  }
});

Deno.test("templates: what names no field stays as it is written (O-68)", () => {
  const written = "{{Unknown}} {{point}} {{ Point }} {{Point} {Point} {{}} {{constructor}} {{Point }} {{a-b}}";
  assert.equal(renderTemplate(written, FIELDS, "text"), written);
  assert.equal(renderTemplate("{{{Point}}} {{{{Point}}}}", FIELDS, "text"), "{input} {{input}}");
});

const ROWS: readonly (readonly [TemplatePlace, string, string])[] = [
  ["text", "{{UserMessage}}", VALUE],
  ["header", "[{{UserMessage}}]", `[a "b" #?&=/..\\ {{Point}} é]`],
  ["form", "a={{UserMessage}}", `a=${percentEncode(VALUE)}`],
  ["url", "http://h/{{UserMessage}}", `http://h/${percentEncode(VALUE)}`],
  ["url", "http://h/{{ToolName}}/x?t={{ToolName}}#{{ToolName}}", "http://h/%252E%252E/x?t=..#.."],
  ["json", '{"m":"{{UserMessage}}"}', `{"m":${JSON.stringify(VALUE)}}`],
  ["json", '{"m":{{UserMessage}},"n":[{{AgentId}}]}', `{"m":${JSON.stringify(VALUE)},"n":[""]}`],
  ["json", '{"m":"\\"{{Point}}\\\\","p":{{Point}}}', '{"m":"\\"input\\\\","p":"input"}'],
  ["json", "not json {{Point}}", "not json input"],
  ["json", "not json {{UserMessage}}", `not json ${JSON.stringify(VALUE).slice(1, -1)}`],
];

for (const [place, template, text] of ROWS) {
  Deno.test(`templates: ${template} in a ${place} stays one value there`, () => {
    assert.equal(renderTemplate(template, FIELDS, place), text);
  });
}

Deno.test("templates: a backslash before a value does not open the string", () => {
  const fields = { ...NO_TEMPLATE_VALUES, UserMessage: '","evil":"' };
  assert.deepEqual(JSON.parse(renderTemplate('{"m":"\\{{UserMessage}}"}', fields, "json")), { m: '\\","evil":"' });
});

Deno.test("templates: a literal part is no template, and no template is made of parts", () => {
  const literal = (text: string) => ({ text, literal: true });
  const written = (text: string) => ({ text, literal: false });
  const parts = [literal("{{Point}}"), written(" {{"), literal("Point"), written("}} {{Point}}")];
  assert.equal(renderTemplate(parts, FIELDS, "text"), "{{Point}} {{Point}} input");
  assert.equal(renderTemplate([written("/a/"), literal("?x="), written("{{ToolName}}")], FIELDS, "url"), "/a/?x=..");
});

const HOSTS: readonly (readonly [string, string | undefined])[] = [
  ["https://host/{{Cwd}}?a={{Cwd}}#{{Cwd}}", undefined],
  ["https://host?{{Cwd}}", undefined],
  ["https://host\\{{Cwd}}", undefined],
  ["https://{{ToolName}}/", "{{ToolName}}"],
  ["https://host{{ToolName}}", "{{ToolName}}"],
  ["https://a.{{Unknown}}.b:{{Port}}/", "{{Unknown}}"],
  ["https://u:{{ToolName}}@host/", "{{ToolName}}"],
  ["{{ToolName}}://host/", "{{ToolName}}"],
  ["{{ToolName}}", "{{ToolName}}"],
  ["https:///{{ToolName}}/", "{{ToolName}}"],
  ["https:\\\\{{ToolName}}/", "{{ToolName}}"],
  ["https:{{ToolName}}/", "{{ToolName}}"],
  ["ht\ntps:/\t/{{ToolName}}/", "{{ToolName}}"],
  ["\u0000 https://{{ToolName}}/", "{{ToolName}}"],
];

for (const [url, found] of HOSTS) {
  Deno.test(`templateInHost: ${JSON.stringify(url)} has ${found ?? "none"}`, () => {
    assert.equal(templateInHost(url), found);
  });
}
