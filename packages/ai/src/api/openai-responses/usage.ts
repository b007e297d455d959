// Token counts of a response → ours. The wire counts cached tokens as part of the input; we do not.

import { countOf, uncached } from "../../decoding/token-count.ts";
import type { ReportedUsage } from "../../message-builder.ts";
import type { ResponsesUsage } from "./events.ts";

/** Maps the counts. What was not reported is absent. */
export function reportedUsage(usage: ResponsesUsage): ReportedUsage {
  const reported: ReportedUsage = {};
  const cacheRead = countOf(usage.input_tokens_details?.cached_tokens);
  const cacheWrite = countOf(usage.input_tokens_details?.cache_write_tokens);
  const input = countOf(usage.input_tokens);
  const output = countOf(usage.output_tokens);
  const reasoning = countOf(usage.output_tokens_details?.reasoning_tokens);
  const billed = countOf(usage.cost);
  if (cacheRead !== undefined) reported.cacheRead = cacheRead;
  if (cacheWrite !== undefined) reported.cacheWrite = cacheWrite;
  if (input !== undefined) reported.input = uncached(input, (cacheRead ?? 0) + (cacheWrite ?? 0));
  if (output !== undefined) reported.output = output;
  if (reasoning !== undefined) reported.reasoning = reasoning;
  if (billed !== undefined) reported.billedTotal = billed;
  return reported;
}
