import fc from "fast-check";
import { expect, test } from "vitest";
import { capResult } from "../src/result-cap.ts";

const text = (value: string) => ({ type: "text" as const, text: value });

test("a result within the cap is left as it is", () => {
  const result = { content: [text("short")], details: { lines: 1 } };
  expect(capResult(result, 1_000)).toBe(result);
});

test("a long text loses its middle and says how much", () => {
  const { content } = capResult({ content: [text(`${"a".repeat(50_000)}${"z".repeat(50_000)}`)], details: {} }, 10_000);
  const [block] = content;
  const kept = block?.type === "text" ? block.text : "";
  expect(kept).toMatch(/^a+\n\[… \d+ bytes left out …\]\nz+$/);
  const leftOut = Number(/(\d+) bytes/.exec(kept)?.[1]);
  expect(kept.replace(/\n.*\n/, "").length + leftOut).toBe(100_000);
});

test("an image that does not fit is replaced by a sentence, and so are details", () => {
  const image = { type: "image" as const, data: "A".repeat(20_000), mimeType: "image/png" };
  expect(capResult({ content: [text("before"), image], details: "d".repeat(20_000), terminate: true }, 5_000)).toEqual({
    content: [text("before"), text("[An image of 20049 bytes was left out: the limit of a result was reached.]")],
    details: { leftOut: "The details were too long to record." },
    terminate: true,
  });
});

test("whatever the texts, the capped result fits but for a kilobyte a block, and holds no broken character", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 3_000 }), { maxLength: 6 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 2_000, max: 20_000 }), (values, maxBytes) => {
      const capped = capResult({ content: values.map(text), details: {} }, maxBytes);
      expect(Buffer.byteLength(JSON.stringify(capped))).toBeLessThanOrEqual(maxBytes + 1_200 * values.length);
      const broken = values.join("").includes("\uFFFD");
      if (!broken) expect(JSON.stringify(capped)).not.toContain("\uFFFD");
    }),
  );
});

test("the texts of a result share the room, and each keeps a beginning and an end", () => {
  const texts = ["a", "b", "c"].map((letter) => text(letter.repeat(10_000)));
  const capped = capResult({ content: texts, details: {} }, 5_000);
  expect(Buffer.byteLength(JSON.stringify(capped))).toBeLessThanOrEqual(5_000 + 2 * 1_024);
  const kept = capped.content.map((block) => (block.type === "text" ? block.text : ""));
  expect(kept.map((value) => value.replace(/\d+/, "N").replace(/(.)\1{99,}/g, "$1…"))).toEqual(
    ["a", "b", "c"].map((letter) => `${letter}…\n[… N bytes left out …]\n${letter}…`),
  );
});
