import { describe, expect, it } from "vitest";
import { retryAfterOf } from "../../src/wire/retry-after.ts";

const NOW = Date.parse("2026-11-30T10:00:00Z");
const of = (headers: Record<string, string>, body?: unknown) => retryAfterOf(new Headers(headers), body, NOW);

describe("how long a provider asks to wait", () => {
  const rows: [what: string, headers: Record<string, string>, body: unknown, expected: number | undefined][] = [
    ["seconds", { "retry-after": "7" }, undefined, 7_000],
    ["parts of a second", { "retry-after": "0.25" }, undefined, 250],
    ["none at all", { "retry-after": "0" }, undefined, 0],
    ["a date", { "retry-after": "Mon, 30 Nov 2026 10:01:30 GMT" }, undefined, 90_000],
    ["a date that has passed", { "retry-after": "Mon, 30 Nov 2026 09:00:00 GMT" }, undefined, 0],
    ["milliseconds before seconds", { "retry-after-ms": "1500", "retry-after": "2" }, undefined, 1_500],
    ["a number below zero says nothing", { "retry-after": "-5" }, undefined, undefined],
    ["a date without its weekday", { "retry-after": "30 Nov 2026 10:01:30 GMT" }, undefined, 90_000],
    ["a date in the way of old servers", { "retry-after": "Monday, 30-Nov-26 10:01:30 GMT" }, undefined, 90_000],
    ["a date in ISO 8601", { "retry-after": "2026-11-30T10:01:30Z" }, undefined, 90_000],
    ["words with a number in them are no date", { "retry-after": "in a while, 5 maybe" }, undefined, undefined],
    ["no number", { "retry-after": "NaN" }, undefined, undefined],
    ["no end", { "retry-after": "Infinity" }, undefined, undefined],
    ["longer than anybody lives", { "retry-after": "1e99" }, undefined, undefined],
    ["a date in another age", { "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }, undefined, undefined],
    ["less than nothing in the body", {}, { error: { retry_after: -4 } }, undefined],
    ["words that are no time say nothing", { "retry-after": "soon" }, undefined, undefined],
    ["an empty header says nothing", { "retry-after": "", "retry-after-ms": "" }, undefined, undefined],
    ["Mistral's and Azure's header", { "x-ratelimit-reset-after": "12" }, undefined, 12_000],
    [
      "OpenAI's duration",
      { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s" },
      undefined,
      360_000,
    ],
    [
      "OpenAI's short duration",
      { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms" },
      undefined,
      20,
    ],
    [
      "of two used-up allowances the later one",
      {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "1s",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "1m1.5s",
      },
      undefined,
      61_500,
    ],
    [
      "an allowance that is left",
      { "x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6m0s" },
      undefined,
      undefined,
    ],
    [
      "Anthropic's date",
      { "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-11-30T10:00:30Z" },
      undefined,
      30_000,
    ],
    [
      "OpenRouter's moment in milliseconds",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW + 5_000) },
      undefined,
      5_000,
    ],
    [
      "a moment in seconds",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 5) },
      undefined,
      5_000,
    ],
    ["Google's RetryInfo", {}, { error: { details: [{ "@type": "x.RetryInfo", retryDelay: "17s" }] } }, 17_000],
    ["Google's RetryInfo in parts", {}, { error: { details: [{ retryDelay: "1.5s" }] } }, 1_500],
    ["a field of the body", {}, { error: { retry_after: 3 } }, 3_000],
    ["a field in milliseconds", {}, { retry_after_ms: 250 }, 250],
    [
      "headers that a gateway wrapped",
      {},
      { error: { metadata: { headers: { "X-RateLimit-Reset": String(NOW + 9_000) } } } },
      9_000,
    ],
    ["words", {}, { error: { message: "Rate limit reached. Please try again in 1.898s. Visit us." } }, 1_898],
    ["words with minutes", {}, { error: { message: "Please try again in 1m12.5s." } }, 72_500],
    ["words with milliseconds", {}, { error: { message: "try again in 450ms" } }, 450],
    ["words in full", {}, { message: "Please retry after 5 seconds." }, 5_000],
    ["words with hours", {}, { message: "Try again in 2 hours" }, 7_200_000],
    ["plain text", {}, "Too many requests, wait 3 minutes", 180_000],
    ["the header before the words", { "retry-after": "2" }, { error: { message: "try again in 9s" } }, 2_000],
    ["no time at all", {}, { error: { message: "Please try again later" } }, undefined],
    ["no body", {}, undefined, undefined],
  ];
  for (const [what, headers, body, expected] of rows) {
    it(`${what}: ${expected}`, () => {
      expect(of(headers, body)).toBe(expected);
    });
  }

  it("a body nested without end is not followed for ever", () => {
    const nested: Record<string, unknown> = {};
    nested["error"] = nested;
    expect(retryAfterOf(undefined, nested, NOW)).toBe(undefined);
  });
});
