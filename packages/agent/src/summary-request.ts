// What a model is asked for a summary: our prompt, and the conversation as one bounded text. It is text and not messages
// so that the model reports on the conversation instead of going on with it.
import type { Context } from "@rondo/ai";
import { toPlainJson } from "./plain-json.ts";
import { estimateTextTokens } from "./token-estimate.ts";
import type { AgentMessage } from "./types.ts";

/** Enough to see what a tool found; the whole of it can be had again by calling the tool. */
const RESULT_CHARACTERS_MAX = 2_000;
const ARGUMENTS_CHARACTERS_MAX = 1_000;
const TEXT_CHARACTERS_MAX = 20_000;

const SYSTEM_PROMPT = `You write handover notes for a software agent whose conversation has become too long. Somebody else \
will carry on from your notes alone. You do not take part in the conversation, answer nothing in it and call no tools.`;

const TASK = `Write the handover notes for the conversation above, as plain Markdown with these headings:

## Goal
What the person wants, in their own terms, with every condition and preference they gave.

## State
What is done, what is half done, what is still open.

## Files
Each file that was read, made or changed, by its path, with what matters about it.

## Facts
Decisions and why, exact names, commands, error messages and values that will be needed again.

## Next
The step that was about to be taken, and any question that nobody has answered yet.

Keep what earlier notes say unless it has been overtaken. Be exact and short. Write the notes and nothing else.`;

export interface SummaryInput {
  messages: AgentMessage[];
  /** The notes that an earlier compaction made of what came before. */
  earlierSummary: string | undefined;
  /** Further wishes for the notes. */
  instructions: string | undefined;
  /** The most tokens that the request may take. What is too much is cut out of the oldest part. */
  inputTokensMax: number;
  timestamp: number;
}

/** The request for a summary. */
export function summaryRequest(input: SummaryInput): Context {
  const notes = input.earlierSummary ? `<earlier-notes>\n${input.earlierSummary}\n</earlier-notes>\n\n` : "";
  const wishes = input.instructions ? `\n\nBesides: ${input.instructions}` : "";
  const fixedTokens = estimateTextTokens(SYSTEM_PROMPT + notes + TASK + wishes);
  const conversation = boundedConversation(input.messages, input.inputTokensMax - fixedTokens);
  const content = `${notes}<conversation>\n${conversation}\n</conversation>\n\n${TASK}${wishes}`;
  return { systemPrompt: SYSTEM_PROMPT, messages: [{ role: "user", content, timestamp: input.timestamp }] };
}

/** The newest entries that fit, and a word about the rest. */
function boundedConversation(messages: AgentMessage[], tokensMax: number): string {
  const entries: string[] = [];
  let tokens = 0;
  for (const message of messages.toReversed()) {
    const entry = describeMessage(message);
    tokens += estimateTextTokens(entry) + 1;
    if (tokens > tokensMax) {
      entries.push(`[${messages.length - entries.length} older messages are left out here]`);
      break;
    }
    entries.push(entry);
  }
  return entries.toReversed().join("\n\n");
}

function describeMessage(message: AgentMessage): string {
  const { role, content } = message as { role: string; content?: unknown };
  const max = role === "toolResult" ? RESULT_CHARACTERS_MAX : TEXT_CHARACTERS_MAX;
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map(describeBlock).filter((text) => text !== "");
  return `[${role}] ${cut(texts.join("\n"), max)}`;
}

/** Thinking is left out: it led to what was said and done, which is here. */
function describeBlock(block: unknown): string {
  if (typeof block === "string") return block;
  const { type, text, name, arguments: args } = (block ?? {}) as Record<string, unknown>;
  if (type === "text") return String(text);
  if (type === "image") return "[image]";
  if (type === "toolCall")
    return `called ${String(name)}(${cut(JSON.stringify(toPlainJson(args)) ?? "", ARGUMENTS_CHARACTERS_MAX)})`;
  return "";
}

/** The beginning and the end of a long text, since both tend to matter. */
function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const half = Math.floor(charactersMax / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`;
}
