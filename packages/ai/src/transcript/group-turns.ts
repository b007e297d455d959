// Sorts a history into turns: each call with its result, whatever stood between them. A result counts until the model is
// asked again, since by then the model has been told that there is none.
import type { AssistantMessage, Model, ToolResultMessage } from "../types.ts";
import { assistantContent } from "./assistant-content.ts";
import { createCallIds } from "./call-ids.ts";
import type { DraftCall, DraftTurn } from "./draft.ts";
import { inputContent } from "./input-content.ts";
import { readMessage } from "./read-history.ts";
import type { Note } from "./report.ts";
import type { TargetRules } from "./target-rules.ts";

/** What the sorting needs to know of the model that will read the history. */
export interface Target {
  model: Model;
  rules: TargetRules;
}

/** The turns of a history; the first has no assistant message if a person spoke first. */
export function groupTurns(messages: readonly unknown[], target: Target, noteAt: (index: number) => Note): DraftTurn[] {
  const callId = createCallIds(target.rules);
  let turn: DraftTurn = { assistant: undefined, calls: [], closed: true, inputs: [] };
  const turns = [turn];
  for (const [index, value] of messages.entries()) {
    const note = noteAt(index);
    const message = readMessage(value, note);
    if (message === undefined) continue;
    if (message.role === "assistant") {
      const next = assistantTurn(message, index, target, callId, note);
      if (next === undefined) turn.closed = true;
      else {
        turns.push(next);
        turn = next;
      }
    } else if (message.role === "toolResult") {
      addResult(turn, message, index, target, note);
    } else {
      const content = inputContent(message.content, target.model, target.rules.images, note);
      turn.inputs.push({ message, index, content });
    }
  }
  return turns;
}

function assistantTurn(
  message: AssistantMessage,
  index: number,
  target: Target,
  callId: (id: string) => string,
  note: Note,
): DraftTurn | undefined {
  const calls: DraftCall[] = [];
  const content = assistantContent(message, target.model, target.rules, note).map((block) => {
    if (block.type !== "toolCall") return block;
    const id = callId(block.id);
    if (id !== block.id)
      note("call_id_renamed", "rewritten", `The id of a call of ${block.name} was renamed to ${id}.`);
    const call = id === block.id ? block : { ...block, id };
    calls.push({ originalId: block.id, call, result: undefined });
    return call;
  });
  if (content.length === 0) {
    note("turn_empty", "dropped", "An answer with nothing in it was dropped.");
    return undefined;
  }
  return { assistant: { message, index, content }, calls, closed: false, inputs: [] };
}

function addResult(turn: DraftTurn, message: ToolResultMessage, index: number, target: Target, note: Note): void {
  const calls = turn.closed ? [] : turn.calls.filter((call) => call.originalId === message.toolCallId);
  const open = calls.find((call) => call.result === undefined);
  if (open === undefined) {
    if (calls.length > 0) note("result_duplicate", "dropped", "A second result of the same call was dropped.");
    else note("result_orphaned", "dropped", "A tool result without its call was dropped.");
    return;
  }
  if (turn.inputs.length > 0) note("result_moved", "rewritten", "A tool result was moved to its call.");
  open.result = { message, index, content: inputContent(message.content, target.model, target.rules.images, note) };
}
