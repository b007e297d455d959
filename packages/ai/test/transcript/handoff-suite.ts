// Every ordered pair of APIs, as a suite that runs few histories in the quick tests and many in the deep ones.
import { arbitraryHistory, HISTORY_MODELS } from "@rondo/test-fixtures";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RequestOptions } from "../../src/protocol.ts";
import type { Model } from "../../src/types.ts";
import { conversationOf, violations } from "./handoff.ts";
import { asMessages, frozen, modelOf } from "./targets.ts";

const options: fc.Arbitrary<RequestOptions> = fc.record(
  {
    temperature: fc.constantFrom(0, 0.7),
    maxTokens: fc.constantFrom(1, 1000, 64_000),
    reasoning: fc.constantFrom("off" as const, "low" as const, "high" as const),
    toolChoice: fc.constantFrom("auto" as const, "none" as const, "required" as const, { name: "my.server/tool name" }),
    parallelToolCalls: fc.boolean(),
    cacheRetention: fc.constantFrom("none" as const, "short" as const, "long" as const),
    sessionId: fc.constant("s".repeat(80)),
    stopSequences: fc.constantFrom(["\n"], ["a", "b", "c", "d", "e", "f"]),
    metadata: fc.constant({ user_id: "u", nested: { long: "x".repeat(600) } }),
  },
  { requiredKeys: [] },
);

/** What models of each API differ in, beside the plain one. */
const VARIANTS: Record<string, Partial<Model>[]> = {
  "anthropic-messages": [{ quirks: { adaptiveThinking: true } }, { quirks: { supportsCacheControl: false } }],
  "openai-completions": [
    { quirks: { supportsStrictTools: true, supportsCacheControl: true, systemRole: "developer" } },
    { quirks: { shortToolCallIds: true, toolResultName: true, assistantAfterToolResult: true } },
    { quirks: { reasoningReplayField: "reasoning_content", supportsStore: true, maxTokensField: "max_tokens" } },
  ],
  "openai-responses": [{ quirks: { supportsStrictTools: true, systemRole: "developer" } }],
  "google-generative-ai": [{ quirks: { thoughtSignatureStandIn: "c2tpcCB0aG91Z2h0IHNpZ25hdHVyZSB2YWxpZGF0b3I" } }],
};

/** Describes the handoff from every API to every other, with so many histories for each pair. */
export function describeHandoff(runs: number): void {
  const pairs = HISTORY_MODELS.flatMap((source) => HISTORY_MODELS.map((target) => ({ source, target })));

  describe.each(pairs)("any history of $source.api", ({ source, target }) => {
    const overrides = fc.constantFrom<Partial<Model>>(
      {},
      {},
      { input: ["text"] },
      { reasoning: false },
      ...(VARIANTS[target.api] ?? []),
    );

    test(`is accepted by a strict ${target.api} server`, () => {
      fc.assert(
        fc.property(arbitraryHistory([source]), options, overrides, (messages, chosen, override) => {
          if (messages.length === 0) return;
          expect(violations(asMessages(frozen(messages)), modelOf(target, override), chosen)).toEqual([]);
        }),
        { numRuns: runs },
      );
    });
  });

  describe.each(HISTORY_MODELS)("the conversation of a $api request", (target) => {
    const model = modelOf(target);

    test("keeps the bytes of its beginning when turns are added", () => {
      fc.assert(
        fc.property(arbitraryHistory(), options, (messages, chosen) => {
          const history = asMessages(messages);
          const whole = conversationOf(history, model, chosen);
          for (const [index, message] of history.entries()) {
            // A request was made wherever an answer begins.
            if (index === 0 || message.role !== "assistant") continue;
            const request = conversationOf(history.slice(0, index), model, chosen);
            // A last message that only asks to go on is no part of the history.
            const kept = request.at(-1)?.includes('"Continue."') ? request.slice(0, -1) : request;
            expect(whole.slice(0, kept.length)).toEqual(kept);
          }
        }),
        { numRuns: runs * 4 },
      );
    });
  });
}
