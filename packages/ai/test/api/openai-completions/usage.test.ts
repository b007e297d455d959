import { describe, expect, test } from "vitest";
import { openaiCompletions } from "../../../src/api/openai-completions/index.ts";
import { decode } from "../decoding.ts";
import { delta, stop } from "./chunks.ts";

describe("usage", () => {
  const counts = { prompt_tokens: 1000, completion_tokens: 50 };
  const plain = { input: 1000, output: 50, totalTokens: 1050 };
  const usageOf = (...frames: unknown[]) => {
    const { cost, ...usage } = decode(openaiCompletions, [delta({ content: "Hi" }), ...frames]).message.usage;
    return { ...usage, ...(cost.total !== undefined && { billed: cost.total }) };
  };
  test.each([
    { place: "with the finish reason", frames: [{ ...stop(), usage: counts }], usage: plain },
    { place: "in a last chunk without choices", frames: [stop(), { choices: [], usage: counts }], usage: plain },
    { place: "in x_groq", frames: [{ ...stop(), x_groq: { usage: counts } }], usage: plain },
    {
      place: "in a choice",
      frames: [{ choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: counts }] }],
      usage: plain,
    },
    {
      place: "growing in every chunk",
      frames: [{ usage: { prompt_tokens: 1000, completion_tokens: 1 } }, { ...stop(), usage: counts }],
      usage: plain,
    },
    {
      place: "with details",
      frames: [
        stop(),
        {
          usage: {
            ...counts,
            prompt_tokens_details: { cached_tokens: 800, cache_write_tokens: 100 },
            completion_tokens_details: { reasoning_tokens: 40 },
          },
        },
      ],
      usage: { input: 100, cacheRead: 800, cacheWrite: 100, output: 50, reasoning: 40, totalTokens: 1050 },
    },
    {
      place: "with DeepSeek's cache counts",
      frames: [stop(), { usage: { ...counts, prompt_cache_hit_tokens: 800, prompt_cache_miss_tokens: 200 } }],
      usage: { input: 200, cacheRead: 800, output: 50, totalTokens: 1050 },
    },
    {
      place: "with cached tokens counted apart",
      frames: [stop(), { usage: { ...counts, cached_tokens: 5000 } }],
      usage: { input: 1000, cacheRead: 5000, output: 50, totalTokens: 6050 },
    },
    {
      place: "with a bill",
      frames: [stop(), { usage: { ...counts, cost: 0.25, cost_details: { upstream_inference_cost: 0.2 } } }],
      usage: { ...plain, billed: 0.25 },
    },
    {
      place: "with a fee for a key of one's own",
      frames: [
        stop(),
        { usage: { ...counts, cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } } },
      ],
      usage: { ...plain, billed: 0.75 },
    },
    { place: "nowhere: nothing is known, not zero", frames: [stop()], usage: {} },
    {
      place: "with the cached tokens in one chunk and the sum in another",
      frames: [
        { usage: { prompt_tokens: 1000, prompt_tokens_details: { cached_tokens: 800 } } },
        { ...stop(), usage: { ...counts, prompt_tokens_details: null } },
      ],
      usage: { input: 200, cacheRead: 800, output: 50, totalTokens: 1050 },
    },
    {
      place: "with zeros in a last chunk",
      frames: [{ ...stop(), usage: counts }, { usage: { prompt_tokens: 0, completion_tokens: 0 } }],
      usage: plain,
    },
    {
      place: "as nonsense",
      frames: [
        { usage: "none" },
        { usage: [1] },
        { usage: { prompt_tokens: "9", completion_tokens: -1, cost: -2 } },
        stop(),
      ],
      usage: {},
    },
    {
      place: "in part",
      frames: [stop(), { usage: { prompt_tokens: null, completion_tokens: 5 } }],
      usage: { output: 5, totalTokens: 5 },
    },
  ])("$place", ({ frames, usage }) => {
    expect(usageOf(...frames)).toEqual(usage);
  });
});
