// Where the prompt cache may break: at most four marks, on the tools, the system prompt and the last two user turns.
import type { RequestInput } from "../../protocol.ts";
import { grantedRetention } from "../../request/caching.ts";
import type { Diagnostics } from "../../request/diagnostics.ts";
import { isThinking, type WireContent, type WireMessage } from "./messages.ts";

/** User turns that get a mark: with tools and system prompt that makes the API's limit of four (prompt caching documentation, 2025). */
const MARKED_USER_TURNS = 2;

/** Marks a body in place. Blocks that may not carry a mark (thinking, blank text) are never chosen. */
export function markCacheBreakpoints(
  body: Record<string, unknown>,
  input: RequestInput,
  diagnostics: Diagnostics,
): void {
  if (input.model.quirks?.supportsCacheControl === false) return;
  const retention = grantedRetention(input, diagnostics);
  if (retention === "none") return;
  const mark = retention === "long" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
  const put = (target: Record<string, unknown> | undefined): void => {
    if (target) target["cache_control"] = mark;
  };
  put((body["tools"] as Record<string, unknown>[] | undefined)?.at(-1));
  put((body["system"] as Record<string, unknown>[] | undefined)?.at(-1));
  const userTurns = (body["messages"] as WireMessage[]).filter((message) => message.role === "user");
  for (const turn of userTurns.slice(-MARKED_USER_TURNS)) put(lastMarkable(turn.content));
}

function lastMarkable(content: WireContent[]): WireContent | undefined {
  return content.findLast((block) => !isThinking(block));
}
