// The text of a message, without what else it holds, and text as a title.
import type { AgentMessage } from "@rondo/agent";

const TITLE_CHARACTERS_MAX = 200;
const OWN_COMMAND = "I ran this command myself:\n$ ";
/** Before each further line of a command. */
const FURTHER_LINE = "\n> ";

/** Text as a title: one line, cut where it is long. */
export function titleOf(text: string): string {
  return [...text.replace(/\s+/g, " ").trim()].slice(0, TITLE_CHARACTERS_MAX).join("");
}

/** All text of a message of whatever kind. */
export function messageText({ content }: AgentMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** What the model is told of a command that the person ran. */
export function ownCommandText(command: string, output: string): string {
  return `${OWN_COMMAND}${command.replaceAll("\n", FURTHER_LINE)}\n${output}`;
}

/** The command that such a text tells of, and what it printed; undefined if it is something that was said. */
export function readOwnCommand(text: string): { command: string; output: string } | undefined {
  const match = text.startsWith(OWN_COMMAND) && /^(.*(?:\n> .*)*)\n?/.exec(text.slice(OWN_COMMAND.length));
  if (!match) return undefined;
  const [whole, command = ""] = match;
  return { command: command.replaceAll(FURTHER_LINE, "\n"), output: text.slice(OWN_COMMAND.length + whole.length) };
}

/** What the person wrote for a message to come about: its text, or a command with its mark. */
export function writtenText(text: string): string {
  const own = readOwnCommand(text);
  return own ? `!${own.command}` : text;
}
