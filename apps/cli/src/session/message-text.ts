// The text of a message, without what else it holds, and text as a title.
import type { AgentMessage } from "@rondo/agent";

const TITLE_CHARACTERS_MAX = 200;

/** Text as a title: one line, cut where it is long. */
export function titleOf(text: string): string {
  return [...text.replace(/\s+/g, " ").trim()].slice(0, TITLE_CHARACTERS_MAX).join("");
}

/** All text of a message of whatever kind. */
export function messageText({ content }: AgentMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
