import assert from "node:assert/strict";
import fc from "fast-check";
import { maskUrl } from "../../src/text/mod.ts";

const ROWS: readonly (readonly [string, string])[] = [
  ["https://open.feishu.cn/open-apis/bot/v2/hook/TOKEN", "https://open.feishu.cn/..."],
  ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=TOKEN", "https://qyapi.weixin.qq.com/...?key=***"],
  ["https://user:TOKEN@host:8443/", "https://***@host:8443/"],
  ["https://user@evil@host/", "https://***@host/"],
  ["HTTP://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://[::1]:80/a?b=c&TOKEN&d=&e={{Cwd}}#TOKEN", "http://[::1]:80/...?b=***&***&***&e={{Cwd}}#***"],
  ["https://host/?key=${KEY}&key=x${KEY}", "https://host/?key=${KEY}&key=***"],
  ["https://${HOST}/a", "https://${HOST}/..."],
  ["https://host\\TOKEN", "https://host/..."],
  ["https://例え.jp/a", "https://例え.jp/..."],
  ["${WEBHOOK}", "${WEBHOOK}"],
  ["${BASE}/TOKEN", "***"],
  ["file:~/webhook", "file:~/webhook"],
  ["file://host/TOKEN?TOKEN", "file://host/TOKEN?TOKEN"],
  ["dpapi:TOKEN", "dpapi:***"],
  ["htp//TOKEN bad", "***"],
  ["https://TO KEN/", "***"],
  ["https:///TOKEN", "***"],
  ["", ""],
];

for (const [url, masked] of ROWS) {
  Deno.test(`maskUrl: ${JSON.stringify(url)} is shown as ${JSON.stringify(masked)}`, () => {
    assert.equal(maskUrl(url), masked);
  });
}

Deno.test("maskUrl: nothing of path, values, user or fragment is shown, whatever stands around it", () => {
  const around = fc.string({ unit: fc.constantFrom(..."/\\?#&=@:%. ${}a\n".split("")), maxLength: 8 });
  fc.assert(fc.property(around, around, around, (before, middle, after) => {
    for (const place of ["https://host/", "https://host?", "https://host#", "https://host\\"]) {
      const masked = maskUrl(`${place}${before}T0KEN${middle}T0KEN${after}`);
      // What has a value is a name.
      assert.ok(!/T0KEN(?![\w.-]*=)/.test(masked), masked);
    }
  }));
});
