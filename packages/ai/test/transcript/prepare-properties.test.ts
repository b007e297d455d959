import { arbitraryHistory } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prepareTranscript } from "../../src/transcript/prepare.ts";
import type { Message, Model } from "../../src/types.ts";
import { brokenInvariants } from "./invariants.ts";
import { asMessages, frozen, TARGETS } from "./targets.ts";

const RUNS = 100;
const history = arbitraryHistory().map((messages) => asMessages(frozen(messages)));

function prepared(messages: readonly Message[], model: Model): Message[] {
  return prepareTranscript(messages, model).messages;
}

describe.each(TARGETS)("any history for $api $id", (model) => {
  test("becomes a valid transcript", () => {
    fc.assert(
      fc.property(history, (messages) => {
        expect(brokenInvariants(prepared(messages, model), model)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("gives the same bytes again, after a JSON round trip too", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const bytes = JSON.stringify(prepared(messages, model));
        expect(JSON.stringify(prepared(messages, model))).toBe(bytes);
        expect(JSON.stringify(prepared(JSON.parse(JSON.stringify(messages)), model))).toBe(bytes);
      }),
      { numRuns: RUNS },
    );
  });

  test("is not changed by a second preparation", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const once = prepared(messages, model);
        const twice = prepareTranscript(once, model);
        expect(JSON.stringify(twice.messages)).toBe(JSON.stringify(once));
        expect(twice.report).toEqual({ kept: once.length, rewritten: 0, dropped: 0, added: 0, changes: [] });
      }),
      { numRuns: RUNS },
    );
  });

  test("keeps the bytes of its beginning when turns are added", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const whole = JSON.stringify(prepared(messages, model)).slice(0, -1);
        for (const [index, message] of messages.entries()) {
          // A request was made wherever an answer begins.
          if (message.role !== "assistant") continue;
          const request = prepared(messages.slice(0, index), model);
          if (request.length === 0) continue;
          const asked = JSON.stringify(request).slice(0, -1);
          expect(whole.startsWith(asked) || whole.startsWith(withoutBridge(request))).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("is accounted for message by message", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { messages: after, report } = prepareTranscript(messages, model);
        expect(report.kept + report.rewritten + report.added).toBe(after.length);
        expect(report.kept + report.rewritten + report.dropped).toBe(messages.length);
        expect(Math.min(report.kept, report.rewritten, report.dropped, report.added)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: RUNS },
    );
  });
});

/** The bytes of a request up to the message that was only added for want of an answer to reply to. */
function withoutBridge(request: readonly Message[]): string {
  const last = request.at(-1);
  expect(last).toMatchObject({ role: "user", content: "Continue." });
  return JSON.stringify(request.slice(0, -1)).slice(0, -1);
}
