// Token counts of a response → ours. The wire counts cached tokens as part of the input; we do not.
import type { ReportedUsage } from "../../message-builder.ts";
import type { ResponsesUsage } from "./events.ts";

/** Maps the counts. What was not reported is absent. */
export function reportedUsage(usage: ResponsesUsage): ReportedUsage {
  const reported: ReportedUsage = {};
  const { cached_tokens: cacheRead, cache_write_tokens: cacheWrite } = usage.input_tokens_details ?? {};
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  if (typeof cacheRead === "number") reported.cacheRead = cacheRead;
  if (typeof cacheWrite === "number") reported.cacheWrite = cacheWrite;
  if (typeof usage.input_tokens === "number") {
    const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
    // More cached tokens than input tokens: this server counts them apart.
    reported.input = cached > usage.input_tokens ? usage.input_tokens : usage.input_tokens - cached;
  }
  if (typeof usage.output_tokens === "number") reported.output = usage.output_tokens;
  if (typeof reasoning === "number") reported.reasoning = reasoning;
  if (typeof usage.cost === "number") reported.billedTotal = usage.cost;
  return reported;
}
