// What an application says itself: prompts, steering and follow-ups enter the history as they are, the very objects, so
// that an application can tell its own again. Hence they are looked at before, and refused where JSON cannot hold them.
import { inspectJson } from "./plain-json.ts";
import type { AgentMessage } from "./types.ts";

/**
 * Refuses what is no message, or none that a history can keep: it would hold up those behind it in a queue, or keep the
 * conversation from being saved.
 *
 * @param giver who handed it over, for the error: "steer()"
 * @throws TypeError
 */
export function requireMessage(value: unknown, giver: string): asserts value is AgentMessage {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${giver} takes a message, such as { role: "user", content: "…", timestamp: Date.now() }.`);
  const { problem } = inspectJson(value);
  if (problem === undefined) return;
  throw new TypeError(`${giver} was given a message that cannot be kept: ${problem}. Messages must be plain JSON.`);
}
