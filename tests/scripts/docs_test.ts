import { deepEqual, equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { staleParts, withPart } from "../../scripts/docs.ts";

const ROOT = join(import.meta.dirname!, "../..");

Deno.test("the tables in docs/ are what the tables in the code say", async () => {
  deepEqual(await staleParts(ROOT, false), []);
});

Deno.test("only what stands between the markers is replaced", () => {
  const document = "a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb <!-- y:begin --> c <!-- y:end -->\n";
  equal(
    withPart(document, "x", "new\nnew"),
    "a\n<!-- x:begin -->\nnew\nnew\n<!-- x:end -->\nb <!-- y:begin --> c <!-- y:end -->\n",
  );
  equal(withPart(withPart(document, "x", "new"), "x", "old"), document);
});

Deno.test("a document without its markers is an error", () => {
  throws(() => withPart("nothing", "x", "new"), /Cannot find the markers <!-- x:begin -->/);
  throws(() => withPart("<!-- x:end --><!-- x:begin -->", "x", "new"), /Cannot find the markers/);
});
