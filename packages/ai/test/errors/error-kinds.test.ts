import { type AssistantMessage, isContextOverflow, isRetryable } from "@rondo/ai";
import { describe, expect, it } from "vitest";
import { isRetryableKind, kindOf } from "../../src/error-kinds.ts";
import { errorFromText } from "../../src/wire/error-body.ts";
import { FAILURES, THROWN } from "./data/failures.ts";

const failed = (more: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  content: [],
  api: "a",
  provider: "p",
  model: "m",
  usage: { cost: {} },
  stopReason: "error",
  timestamp: 0,
  ...more,
});

describe("what a provider says becomes a kind that a person agrees with", () => {
  for (const { who, kind, status, body } of FAILURES) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    it(`${kind}: ${who}${status === undefined ? "" : ` (${status})`}: ${text.slice(0, 100)}`, () => {
      const { details, message } = errorFromText(text, { provider: "Test", status, now: 0, secrets: [] });
      expect({ kind: details.kind, retryable: details.retryable, status: details.status }).toEqual({
        kind,
        retryable: isRetryableKind(kind),
        status: status ?? details.status,
      });
      expect(message).toMatch(/^Test [a-z].*[.:)\w]/);
      const whole = failed({ error: details, errorMessage: message });
      expect([isContextOverflow(whole), isRetryable(whole)]).toEqual([
        kind === "context_overflow",
        isRetryableKind(kind),
      ]);
    });
  }

  it("a request of too many bytes is not told to be too long for the model", () => {
    const said = (body: string) =>
      errorFromText(body, { provider: "Test", status: 413, now: 0, secrets: [] }).message.split(/ \(|: /)[0];
    const bytes =
      "Test refused the request as too large. Take large images and files out of the conversation, or compact it";
    expect(said("<html><title>413 Request Entity Too Large</title></html>")).toBe(bytes);
    expect(
      said('{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}'),
    ).toBe(bytes);
    expect(said("")).toBe(bytes);
    expect(said('{"error":{"message":"prompt is too long: 9 tokens > 8"}}')).toMatch(/too long for this model/);
  });

  it("there are enough rows to call it a table", () => {
    expect(FAILURES.length).toBeGreaterThanOrEqual(60);
  });

  for (const [words, kind] of THROWN) {
    it(`${kind}: ${words}`, () => {
      expect(kindOf({ message: words })).toBe(kind);
    });
  }
});

describe("isContextOverflow and isRetryable", () => {
  it("judge a message without details by its words", () => {
    expect(isContextOverflow(failed({ errorMessage: "prompt is too long: 9 tokens > 8 maximum" }))).toBe(true);
    expect(isContextOverflow(failed({ errorMessage: "429 rate limit: too many tokens per minute" }))).toBe(false);
    expect(isRetryable(failed({ errorMessage: "429 rate limit: too many tokens per minute" }))).toBe(true);
  });

  it("are false for messages that did not fail", () => {
    for (const stopReason of ["stop", "length", "toolUse", "aborted"] as const) {
      const message = failed({ stopReason, errorMessage: "rate limit; prompt is too long" });
      expect([isContextOverflow(message), isRetryable(message)]).toEqual([false, false]);
    }
  });

  it("believe the details, not the words", () => {
    const error = { kind: "network", retryable: false } as const;
    expect(isRetryable(failed({ error, errorMessage: "rate limit" }))).toBe(false);
  });
});
