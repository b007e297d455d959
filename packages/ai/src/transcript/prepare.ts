// Makes a valid transcript out of any history, for the model that will read it: the one place where histories are
// repaired. It must not know how an API writes its requests. Pure: the history is never changed, the same history always
// gives the same bytes, and a longer one gives the same beginning (only images are left out later, when the limits of a
// request are reached).
import type { Message, Model, ToolResultMessage, UserMessage } from "../types.ts";
import type { DraftBlock, DraftCall, DraftInput, DraftTurn } from "./draft.ts";
import { groupTurns } from "./group-turns.ts";
import { fitImages } from "./image-budget.ts";
import { omitted } from "./input-content.ts";
import type { Note, TranscriptChange, TranscriptReport } from "./report.ts";
import { targetRules } from "./target-rules.ts";

/** Stands where a history begins with an answer. */
const BEGINNING = "(The beginning of this conversation is missing.)";
/** Stands after an answer to which nobody replied: new models refuse to go on from their own words. */
const CONTINUE = "Continue.";
const EMPTY_MESSAGE = "(empty message)";
const NO_OUTPUT = "(no output)";
const INTERRUPTED = "interrupted: there is no result of this call. It may have run or not.";

/** A history that the model's API accepts, and what was changed to get there. */
export interface PreparedTranscript {
  messages: Message[];
  report: TranscriptReport;
}

/**
 * Makes a valid transcript for `model` out of any history. Afterwards each tool call has exactly one result directly after
 * its message, ids are unique and of a form that the API takes, no text is blank, no answer is empty, the first and last
 * messages are not the model's and no two of its messages are neighbours. Never throws and never changes its input;
 * what cannot be used is left out and reported.
 */
export function prepareTranscript(messages: readonly Message[], model: Model): PreparedTranscript {
  const history: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const target = (model ?? {}) as Model;
  const rules = targetRules(target);
  const changes: TranscriptChange[] = [];
  const noteAt =
    (messageIndex: number): Note =>
    (code, action, message) =>
      changes.push({ code, action, messageIndex, message });

  const turns = groupTurns(history, { model: target, rules }, noteAt);
  const inputs = turns.flatMap((turn) => [...turn.calls.flatMap(({ result }) => result ?? []), ...turn.inputs]);
  const indexOf = new Map(inputs.map((input) => [input.content, input.index]));
  fitImages([...indexOf.keys()], rules.images, (content, isPdf, reason) =>
    omitted(isPdf, reason, noteAt(indexOf.get(content) ?? 0)),
  );
  const prepared = history.length === 0 ? [] : writeTurns(turns, noteAt);
  return { messages: prepared, report: reportOf(history, prepared, changes) };
}

function writeTurns(turns: readonly DraftTurn[], noteAt: (index: number) => Note): Message[] {
  const messages: Message[] = [];
  const bridge = (text: string, index: number, timestamp: number) => {
    noteAt(index)("turn_bridged", "added", `A user message was added: ${text}`);
    messages.push({ role: "user", content: text, timestamp: timestamp ?? 0 });
  };
  for (const { assistant, calls, inputs } of turns) {
    if (assistant) {
      const { message, index, content } = assistant;
      const before = messages.at(-1);
      if (before === undefined) bridge(BEGINNING, index, message.timestamp);
      else if (before.role === "assistant") bridge(CONTINUE, index, message.timestamp);
      messages.push(sameItems(content, message.content) ? message : { ...message, content });
      for (const call of calls) messages.push(writeResult(call, message.timestamp, noteAt(index)));
    }
    for (const input of inputs) messages.push(writeUser(input, noteAt(input.index)));
  }
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant")
    bridge(CONTINUE, turns.at(-1)?.assistant?.index ?? 0, last?.timestamp ?? 0);
  return messages;
}

function writeUser({ message, content }: DraftInput<UserMessage>, note: Note): UserMessage {
  const blocks = writeBlocks(content);
  if (blocks.length === 0) {
    note("blank_text", "rewritten", "An empty message was given a text.");
    return { ...message, content: EMPTY_MESSAGE };
  }
  const [first] = blocks;
  if (typeof message.content === "string" && first?.type === "text") {
    return first.text === message.content ? message : { ...message, content: first.text };
  }
  return sameItems(blocks, message.content) ? message : { ...message, content: blocks };
}

function writeResult({ call, result }: DraftCall, timestamp: number, note: Note): ToolResultMessage {
  const { id: toolCallId, name: toolName } = call;
  if (result === undefined) {
    note("result_missing", "added", `A call of ${toolName} had no result and was given one that says so.`);
    const content = [{ type: "text" as const, text: INTERRUPTED }];
    return { role: "toolResult", toolCallId, toolName, content, isError: true, timestamp: timestamp ?? 0 };
  }
  const { message } = result;
  let blocks = writeBlocks(result.content);
  if (blocks.length === 0) blocks = [{ type: "text", text: NO_OUTPUT }];
  const sameNames = message.toolCallId === toolCallId && message.toolName === toolName;
  if (sameNames && sameItems(blocks, message.content)) return message;
  return { ...message, toolCallId, toolName, content: blocks };
}

/** Neighbouring images that are left out for the same reason share one note. */
function writeBlocks(content: readonly DraftBlock[]): Exclude<DraftBlock, { type: "omission" }>[] {
  const blocks: Exclude<DraftBlock, { type: "omission" }>[] = [];
  for (let index = 0; index < content.length; index++) {
    const block = content[index] as DraftBlock;
    if (block.type !== "omission") {
      blocks.push(block);
      continue;
    }
    let count = 1;
    for (; ; count++) {
      const next = content[index + count];
      if (next?.type !== "omission" || next.noun !== block.noun || next.reason !== block.reason) break;
    }
    index += count - 1;
    const what = count === 1 ? block.noun : `${count} ${block.noun}s`;
    blocks.push({ type: "text", text: `[${what} omitted: ${block.reason}]` });
  }
  return blocks;
}

/** Whether two lists hold the same objects, or text that was not changed. */
function sameItems(after: readonly unknown[], before: unknown): boolean {
  if (!Array.isArray(before) || before.length !== after.length) return false;
  return after.every((item, index) => item === before[index]);
}

function reportOf(
  history: readonly unknown[],
  prepared: readonly Message[],
  changes: TranscriptChange[],
): TranscriptReport {
  const originals = new Set(history);
  const added = changes.filter((change) => change.action === "added").length;
  const kept = prepared.filter((message) => originals.has(message)).length;
  const rewritten = prepared.length - kept - added;
  return { kept, rewritten, dropped: history.length - kept - rewritten, added, changes };
}
