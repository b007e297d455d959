// The text of a message, without what else it holds.
import type { AgentMessage } from "@rondo/agent";

/** All text of a message of whatever kind. */
export function messageText({ content }: AgentMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
