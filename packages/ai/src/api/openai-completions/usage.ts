// Token counts of a chunk → ours. The wire counts cached tokens as part of the prompt; we do not. A count that a chunk leaves out
// stays as an earlier chunk had it, so servers that report bit by bit add up.

import { countOf, uncached } from "../../decoding/token-count.ts";
import type { ReportedUsage } from "../../message-builder.ts";
import { isObject } from "../../tools/json-values.ts";
import type { ChatChunk, ChatUsage } from "./chunk.ts";

/** Finds the usage of a chunk, wherever its server puts it. */
export function usageOf(chunk: ChatChunk): ChatUsage | undefined {
  if (isObject(chunk.usage)) return chunk.usage;
  const inChoice = Array.isArray(chunk.choices) ? chunk.choices.find((choice) => choice?.usage)?.usage : undefined;
  const found = isObject(inChoice) ? inChoice : chunk.x_groq?.usage;
  return isObject(found) ? found : undefined;
}

/** Maps the counts. What was not reported is absent. */
export function reportedUsage(usage: ChatUsage): ReportedUsage {
  const reported: ReportedUsage = {};
  const cacheRead = count(
    usage.prompt_tokens_details?.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
  );
  const cacheWrite = count(usage.prompt_tokens_details?.cache_write_tokens);
  const prompt = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  const reasoning = count(usage.completion_tokens_details?.reasoning_tokens, usage.reasoning_tokens);
  if (cacheRead !== undefined) reported.cacheRead = cacheRead;
  if (cacheWrite !== undefined) reported.cacheWrite = cacheWrite;
  if (prompt !== undefined) reported.input = uncached(prompt, (cacheRead ?? 0) + (cacheWrite ?? 0));
  if (output !== undefined) reported.output = output;
  if (reasoning !== undefined) reported.reasoning = reasoning;
  const billed = billedTotal(usage);
  if (billed !== undefined) reported.billedTotal = billed;
  return reported;
}

/** The first of some fields that is above zero, else a zero if any field has one: gateways fill fields they do not use with zeros. */
function count(...fields: unknown[]): number | undefined {
  const numbers = fields.map(countOf).filter((field) => field !== undefined);
  return numbers.find((number) => number > 0) ?? numbers[0];
}

/** With a key of one's own upstream, `cost` is the gateway's fee alone ("Usage accounting", OpenRouter, 2025). */
function billedTotal(usage: ChatUsage): number | undefined {
  const cost = countOf(usage.cost);
  if (cost === undefined || !usage.cost_details) return undefined;
  return usage.is_byok ? cost + (countOf(usage.cost_details.upstream_inference_cost) ?? 0) : cost;
}
