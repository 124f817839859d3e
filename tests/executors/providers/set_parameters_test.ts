import assert from "node:assert/strict";
import { setParameters } from "../../../src/executors/providers/set_parameters.ts";

/** What setting `timestamp` to 1 and `sign` to `a+b=` makes of a URL. */
const ROWS: readonly (readonly [url: string, expected: string])[] = [
  ["https://h/p", "https://h/p?timestamp=1&sign=a%2Bb%3D"],
  ["https://h/p?", "https://h/p?timestamp=1&sign=a%2Bb%3D"],
  ["https://h/p?access_token=a%2fb+c&x", "https://h/p?access_token=a%2fb+c&x&timestamp=1&sign=a%2Bb%3D"],
  ["https://h/p?sign=old&k=v&timestamp=0", "https://h/p?sign=a%2Bb%3D&k=v&timestamp=1"],
  ["https://h/p?sign=1&k=v&sign=2&%73ign=3", "https://h/p?sign=a%2Bb%3D&k=v&timestamp=1"],
  ["https://h/p?signature=x&SIGN=y", "https://h/p?signature=x&SIGN=y&timestamp=1&sign=a%2Bb%3D"],
  ["https://h/p#part?sign=1", "https://h/p?timestamp=1&sign=a%2Bb%3D#part?sign=1"],
  ["https://h/p?k=v#part", "https://h/p?k=v&timestamp=1&sign=a%2Bb%3D#part"],
  ["https://h/p?q=what?&%zz=1", "https://h/p?q=what?&%zz=1&timestamp=1&sign=a%2Bb%3D"],
];

for (const [url, expected] of ROWS) {
  Deno.test(`parameters are set in ${url} and nothing else is touched`, () => {
    assert.equal(setParameters(url, [["timestamp", "1"], ["sign", "a+b="]]), expected);
  });
}

Deno.test("a name that is no word is encoded as well", () => {
  assert.equal(setParameters("https://h/", [["a&b", "c#d"]]), "https://h/?a%26b=c%23d");
});
