import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretsOf } from "../../src/secrets.ts";
import { errorFromText } from "../../src/wire/error-body.ts";
import { failureOf } from "../../src/wire/failure.ts";
import { excerpt, redact } from "../../src/wire/redact.ts";

const SEED = 20261130;
const model = {
  id: "m",
  name: "m",
  api: "a",
  provider: "Test",
  baseUrl: "https://api.example.com/v1",
  reasoning: false,
  input: ["text" as const],
  cost: {},
};
/** Letters and signs that keys are made of; long enough that no sentence of ours holds one by chance. */
const key = fc.string({ unit: fc.constantFrom(..."abcXYZ0189-_.+/="), minLength: 12, maxLength: 80 });
const noise = fc.oneof(fc.string({ maxLength: 400 }), fc.constantFrom("<b>", "</b> ", "\u0000", "  ", "\n", "é漢🎵"));

describe("no part of a key leaves the layer", () => {
  it(`wherever an error body holds it, and however the text is cut (seed ${SEED})`, () => {
    fc.assert(
      fc.property(
        key,
        fc.array(noise, { maxLength: 6 }),
        fc.array(noise, { maxLength: 6 }),
        fc.constantFrom(400, 401, 429, 500),
        (secret, before, after, status) => {
          const text = [...before, secret, encodeURIComponent(secret), ...after].join(" ");
          for (const body of [text, JSON.stringify({ error: { message: text, code: secret.slice(0, 79) } })]) {
            const headers = new Headers({ "request-id": secret });
            const thrown = errorFromText(body, { provider: "Test", status, headers, now: 0, secrets: [secret] });
            const failure = JSON.stringify(failureOf(thrown, model, [secret]));
            // Half of a key is a leak as well.
            expect(failure).not.toContain(secret.slice(0, 10));
          }
        },
      ),
      { seed: SEED, numRuns: 300 },
    );
  });

  it("nor out of what an SDK or a fetch throws", () => {
    const secret = "Rondo.key/0123456789";
    const cause = new Error(`connect failed for ${"x".repeat(290)}${secret}`);
    const failure = failureOf(new TypeError("fetch failed", { cause }), model, [secret]);
    expect(JSON.stringify(failure)).not.toContain("Rondo.key");
    expect(failure.details.kind).toBe("network");
  });

  it("and keys of known vendors are known by their shape", () => {
    const keys = ["sk-ant-", "sk-proj-", "gsk_", "xai-", "hf_", "AIza"].map((prefix) => `${prefix}${"a1B2".repeat(8)}`);
    for (const vendorKey of keys) expect(redact(`wrong key ${vendorKey}!`, [])).toBe("wrong key [redacted]!");
    expect(redact("authorization: Bearer abcdef0123456789==, next", [])).toBe("authorization: Bearer [redacted], next");
  });

  it("a secret that is an ordinary word of a few letters is left alone", () => {
    expect(redact("the model is not here", ["model"])).toBe("the model is not here");
  });
});

describe("an excerpt", () => {
  it("is one line without tags, scripts and control characters", () => {
    const page = "<html><script>alert('x')</script><h1>502</h1>\r\n<p>Bad\u0000 Gateway\u202e</p></html>";
    expect(excerpt(page)).toBe("502 Bad Gateway");
  });

  it("is cut without splitting a character", () => {
    expect(excerpt("🎵".repeat(10), 5)).toBe("🎵🎵…");
  });

  it("takes hostile text in linear time", () => {
    // Counted in characters that are left, since the expressions are bounded: this hung when a tag could span other tags.
    expect(excerpt("<".repeat(200_000), 10)).toBe(`${"<".repeat(10)}…`);
  });
});

describe("a key is known however a server writes it", () => {
  const secret = `tok_Abc/DEF+ghi=jkl&01"23'x`;
  const html = secret.replaceAll("&", "&amp;");
  // Around base64 a character may stay that holds bits of both the key and what is beside it.
  const rows: [how: string, written: string, shown: string][] = [
    ["as a URL", encodeURIComponent(secret), "[redacted]"],
    [
      "as a URL in small letters",
      secret.replace(/[^\w']/g, (sign) => encodeURIComponent(sign).toLowerCase()),
      "[redacted]",
    ],
    ["as a form", new URLSearchParams({ key: secret }).toString(), "key=[redacted]"],
    ["as HTML", html.replaceAll('"', "&quot;"), "[redacted]"],
    ["as HTML with numbers", html.replace(/["']/g, (sign) => `&#${sign.charCodeAt(0)};`), "[redacted]"],
    ["as JSON", JSON.stringify(secret), '"[redacted]"'],
    ["as base64", btoa(secret), "[redacted]"],
    ["as base64 behind a name", btoa(`me:${secret}`), "bWU6[redacted]"],
    ["as base64 behind a scheme", btoa(`Bearer ${secret}!`), "QmVhcmVyIH[redacted]CE="],
    ["as base64 for URLs", btoa(`>>?>>?${secret}`).replaceAll("+", "-").replaceAll("/", "_"), "Pj4_Pj4_[redacted]"],
  ];
  for (const [how, written, shown] of rows) {
    it(how, () => {
      expect(redact(written, [secret])).toBe(shown);
    });
  }

  it("and without the scheme that its header has before it", () => {
    const token = "abcdefgh-12345678";
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { Authorization: `Basic ${btoa(`me:${token}`)}` },
      { cookie: `theme=dark; session=${token}` },
      { "x-auth": `AWS4 Credential=${token}, Signed=yes` },
    ])
      expect(redact(`no ${token}`, secretsOf(model, { headers }, {}))).toBe("no [redacted]");
  });
});

it("an id of the request that is no id does not push out what was said", () => {
  const headers = new Headers({ "x-request-id": "a".repeat(12_000), "cf-ray": "ray-1" });
  const thrown = errorFromText('{"error":{"message":"It went off."}}', {
    provider: "Test",
    status: 500,
    headers,
    now: 0,
    secrets: [],
  });
  expect(failureOf(thrown, model, []).details).toEqual({
    kind: "overloaded",
    retryable: true,
    status: 500,
    requestId: "ray-1",
    providerMessage: "It went off.",
  });
});
