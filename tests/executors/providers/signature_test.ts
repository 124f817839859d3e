import assert from "node:assert/strict";
import type { ChannelRequest } from "../../../src/executors/providers/channel.ts";
import {
  SIGNATURE_FORMS,
  type SignatureForm,
  signatureOf,
  signRequest,
} from "../../../src/executors/providers/signature.ts";
import type { SigningPreset } from "../../../src/hooks/mod.ts";

const VECTORS = new URL("../../../../shared/vectors/signatures.json", import.meta.url);

/** Facts computed with Python's `hmac`, and what DingTalk and Feishu publish as examples of their kind. */
const FACTS: readonly (readonly [SigningPreset, secret: string, milliseconds: number, sign: string])[] = [
  ["feishu", "test-secret", 1700000000123, "mbm4Y4oluIPQ00qlBIhX8vAZ0EKv3nw0LuTb91jPL84="],
  ["wechat_work", "test-secret", 1700000000123, "ioThkp939qla5DvK7aF+h4LQRcKvYhihlJbNgHokY3s="],
  ["dingtalk", "test-secret", 1700000000123, "emvuTAxMTWOXmz4z3p3ifyzxqMNeLEBESaq9BQR0d6w="],
  ["feishu", "soong-test-secret", 1735689600999, "IkeeDA+MUBQ9v7DOkwch9/n9+avjBiL2xfMKvLDXYpg="],
  ["dingtalk", "soong-test-secret", 1735689600130, "Nt2BDos1ZZcpGbhYaM/nkTHf4Fia0HXxrrVPU8+veOo="],
  ["dingtalk", "soong-test-secret", 1735689600123, "pt7AjBYI23nfOB/LJXbqPb3RAg77qx5E6ulJ087kUeg="],
  ["feishu", "密钥-ü", 1700000000000, "Etnh1XF0vh55QbG112ZSiZ9YmHjCIgOweOiefu3nSow="],
];

for (const [preset, secret, milliseconds, sign] of FACTS) {
  Deno.test(`${preset} signs ${secret} at ${milliseconds} as its service does`, async () => {
    const timestamp = preset === "dingtalk" ? `${milliseconds}` : `${Math.floor(milliseconds / 1000)}`;
    const signature = await signatureOf(SIGNATURE_FORMS[preset], secret, new Date(milliseconds));
    assert.deepEqual(signature, { timestamp, sign });
  });
}

Deno.test("all signatures of the shared vectors come out the same, the formula of the seed too", async () => {
  const vectors = await readVectors();
  if (vectors === undefined) {
    console.log("  the signature vectors are not beside the project: only the facts in this file were compared");
  }
  for (const vector of vectors ?? []) {
    const time = new Date(Number(vector.milliseconds));
    const sign = async (form: SignatureForm) => (await signatureOf(form, String(vector.secret), time)).sign;
    for (const preset of ["feishu", "wechat_work", "dingtalk"] as const) {
      assert.equal(await sign(SIGNATURE_FORMS[preset]), vector[preset], `${preset} ${vector.secret}`);
    }
    assert.equal(await sign(SEED_DINGTALK), vector.seed_dingtalk_formula);
    const signed = await signRequest(request("https://h.example/send"), SIGNATURE_FORMS.dingtalk, {
      secret: String(vector.secret),
      time,
    });
    assert.equal(
      signed.url,
      `https://h.example/send?timestamp=${vector.milliseconds}&sign=${vector.dingtalk_urlencoded}`,
    );
  }
  assert.equal((await signatureOf(SEED_DINGTALK, "test-secret", new Date(1700000000123))).sign, SEED_SIGN);
});

Deno.test("a form without a preset signs and places what it says", async () => {
  const form = { ...QUERY, key_template: "{Timestamp}\n{Secret}" };
  const time = new Date(1767225600_000);
  const inQuery = await signRequest(request("https://h.example/send"), form, { secret: "my-secret", time });
  assert.equal(
    inQuery.url,
    "https://h.example/send?timestamp=1767225600&sign=XxAhYlJjqt74KViuSdIoQe0Cc5HdYF37POmg7EM%2Bhy8%3D",
  );
  assert.deepEqual(inQuery.secrets, ["XxAhYlJjqt74KViuSdIoQe0Cc5HdYF37POmg7EM+hy8="]);

  const header = {
    ...form,
    placement: "header",
    param_name: "X-Sign",
    timestamp_param_name: "X-Time",
    timestamp_ms: true,
  } as const;
  const start = { ...request("https://h.example/send"), headers: { "x-sign": "old", Keep: "1" } };
  const inHeader = await signRequest(start, header, { secret: "my-secret", time });
  assert.equal(inHeader.url, start.url);
  assert.deepEqual(inHeader.headers, {
    Keep: "1",
    "X-Time": "1767225600000",
    "X-Sign": "XxAhYlJjqt74KViuSdIoQe0Cc5HdYF37POmg7EM+hy8=",
  });
  const encoded = await signRequest(start, { ...header, encoding: "base64-urlencoded" }, { secret: "my-secret", time });
  assert.equal(encoded.headers["X-Sign"], "XxAhYlJjqt74KViuSdIoQe0Cc5HdYF37POmg7EM%2Bhy8%3D");
  const hex = await signRequest(start, { ...header, encoding: "hex" }, { secret: "my-secret", time });
  assert.match(hex.headers["X-Sign"] ?? "", /^5f1021625263aadef82958ae/);
});

Deno.test("a signature with + and / and = arrives as itself after one decoding, in both base64 encodings", async () => {
  for (const encoding of ["base64", "base64-urlencoded"] as const) {
    const form = { ...SIGNATURE_FORMS.dingtalk, encoding };
    const time = new Date(1735689600130);
    const { url } = await signRequest(request("https://h.example/s?access_token=abc"), form, {
      secret: "soong-test-secret",
      time,
    });
    assert.equal(
      url,
      "https://h.example/s?access_token=abc&timestamp=1735689600130" +
        "&sign=Nt2BDos1ZZcpGbhYaM%2FnkTHf4Fia0HXxrrVPU8%2BveOo%3D",
    );
    assert.equal(new URL(url).searchParams.get("sign"), "Nt2BDos1ZZcpGbhYaM/nkTHf4Fia0HXxrrVPU8+veOo=");
  }
});

Deno.test("without a secret nothing is signed, and an empty one never becomes a key", async () => {
  const time = new Date(0);
  for (const form of [...Object.values(SIGNATURE_FORMS), QUERY]) {
    const start = request("https://h.example/send");
    assert.deepEqual(await signRequest(start, form, { secret: "", time }), start);
    await assert.rejects(signatureOf(form, "", time), TypeError);
  }
});

Deno.test("variables in a template are filled in once: a secret that looks like one stays a secret", async () => {
  const time = new Date(1700000000123);
  const plain = await signatureOf({ ...QUERY, key_template: "{Secret}" }, "{Timestamp}", time);
  const asMessage = await signatureOf(
    { ...QUERY, key_template: "k", message_template: "{Secret}" },
    "{Timestamp}",
    time,
  );
  assert.notEqual(plain.sign, (await signatureOf({ ...QUERY, key_template: "{Timestamp}" }, "x", time)).sign);
  assert.notEqual(
    asMessage.sign,
    (await signatureOf({ ...QUERY, key_template: "k", message_template: "{Timestamp}" }, "x", time)).sign,
  );
});

const QUERY: SignatureForm = {
  key_template: "{Secret}",
  message_template: "",
  encoding: "base64",
  placement: "query",
  param_name: "sign",
  timestamp_param_name: "timestamp",
  timestamp_ms: false,
};
const SEED_DINGTALK: SignatureForm = { ...QUERY, key_template: "{TimestampMs}\n{Secret}" };
const SEED_SIGN = "E12aaGdu+NTHqMIReZbez1W20wIM52gzokW13f/ncrM=";

function request(url: string): ChannelRequest {
  return { url, method: "POST", headers: {}, body: { a: 1 } };
}

async function readVectors(): Promise<readonly Record<string, string | number>[] | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(VECTORS));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
