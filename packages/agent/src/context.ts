// Where a conversation may be cut: between turns, or between a batch of results and the next answer, never between a call
// and its result. And the simplest use of that: keeping the last turns alone.
import { estimateMessageTokens } from "./token-estimate.ts";
import type { AgentMessage } from "./types.ts";

/**
 * A `transformContext` that keeps the last `turnsMax` turns: each a message of the user with all that followed. Calls and
 * their results stay together. The history itself is not touched.
 */
export function keepLastTurns(turnsMax: number): (messages: AgentMessage[]) => AgentMessage[] {
  return (messages) => {
    const starts = [...messages.keys()].filter((index) => isTurnStart(messages, index));
    const from = starts.at(-Math.max(1, turnsMax));
    return from === undefined || starts.length <= turnsMax ? messages : messages.slice(from);
  };
}

/** Whether the messages from `index` on make sense without those before: every call before it was answered before it. */
export function isCutPoint(messages: AgentMessage[], index: number): boolean {
  if (index <= 0 || index > messages.length) return index === 0;
  if (messages[index]?.role === "toolResult") return false;
  const lastCaller = messages.findLastIndex((message, at) => at < index && callsOf(message) > 0);
  if (lastCaller < 0) return true;
  const answers = messages.slice(lastCaller + 1, index).filter((message) => message.role === "toolResult");
  return answers.length >= callsOf(messages[lastCaller] as AgentMessage);
}

/**
 * The index from which to keep messages so that at least `keepTokens` remain. The nearest cut before that; where there is
 * none after `after`, the nearest behind it; `undefined` if nothing can be cut.
 */
export function findCutPoint(messages: AgentMessage[], keepTokens: number, after = 0): number | undefined {
  let kept = 0;
  let target = messages.length;
  while (target > 0 && kept < keepTokens) {
    target--;
    kept += estimateMessageTokens(messages[target] as AgentMessage);
  }
  for (let index = target; index > after; index--) if (isCutPoint(messages, index)) return index;
  for (let index = target + 1; index < messages.length; index++)
    if (index > after && isCutPoint(messages, index)) return index;
  return undefined;
}

/** A user's message that follows none. */
function isTurnStart(messages: AgentMessage[], index: number): boolean {
  return messages[index]?.role === "user" && messages[index - 1]?.role !== "user" && isCutPoint(messages, index);
}

function callsOf(message: AgentMessage): number {
  if (message.role !== "assistant" || !Array.isArray(message.content)) return 0;
  return message.content.filter((block) => block.type === "toolCall").length;
}
