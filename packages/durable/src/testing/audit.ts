// What must be true of every run, checked against the conversation and the log of the tools' real executions.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { AgentMessage } from "@rondo/agent";
import type { DurableEvent, RunResult } from "../types.ts";
import { type LogEntry, REHEARSAL_TOOLS } from "./rehearsal-agent.ts";

/** The log of the tools' real executions. */
export function readLog(logPath: string): LogEntry[] {
  if (!existsSync(logPath)) return [];
  const lines = readFileSync(logPath, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as LogEntry);
}

/** What an audited run must have done. */
export interface Expected {
  runId: string;
  turns: number;
  log: LogEntry[];
  /** How often the run's processes were killed: every kill may cut the calls that were under way, and no others. */
  kills: number;
}

/** A run that came to its end: whole, in order, nothing twice that must not be. */
export function auditRun(result: RunResult, expected: Expected): void {
  const { runId, turns, kills } = expected;
  const log = expected.log.filter((entry) => entry.runId === runId);
  assert.equal(result.reason, "completed", `${runId} ended as ${result.reason}: ${result.errorMessage}`);
  const answers = result.messages.filter((message) => message.role === "assistant");
  assert.equal(answers.length, turns + 1, `${runId}: number of answers`);
  auditCalls(result.messages, runId);
  let repeated = 0;
  for (let turn = 1; turn <= turns; turn++) {
    for (const tool of REHEARSAL_TOOLS) {
      const entries = log.filter((entry) => entry.key === `${turn}:${tool}`);
      const starts = entries.filter(({ phase }) => phase === "start").length;
      const keys = new Set(entries.map(({ idempotencyKey }) => idempotencyKey));
      assert.ok(keys.size <= 1, `${runId}: "${tool}" of turn ${turn} had two idempotency keys`);
      if (tool === "pay") assert.ok(starts <= 1, `${runId}: "pay" of turn ${turn} was started ${starts} times`);
      else assert.ok(starts >= 1, `${runId}: "${tool}" of turn ${turn} was never run`);
      repeated += Math.max(0, starts - 1);
    }
  }
  assert.ok(repeated <= kills * 2, `${runId}: ${repeated} calls were repeated after ${kills} kills`);
}

/** Every call has one result, in the order of the calls, and it says what happened. */
function auditCalls(messages: AgentMessage[], runId: string): void {
  let open: { id: string; name: string; turn: number }[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      assert.deepEqual(open, [], `${runId}: calls without a result`);
      open = message.content.flatMap((block) =>
        block.type === "toolCall" ? [{ id: block.id, name: block.name, turn: block.arguments["turn"] as number }] : [],
      );
    } else if (message.role === "toolResult") {
      const call = open.shift();
      assert.equal(message.toolCallId, call?.id, `${runId}: results out of order`);
      const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      assert.match(text, resultPattern(call?.name, call?.turn), `${runId}: what "${call?.name}" answered`);
    }
  }
  assert.deepEqual(open, [], `${runId}: calls without a result`);
}

function resultPattern(name: string | undefined, turn: number | undefined): RegExp {
  if (name === "refuse") return new RegExp(`^refused in turn ${turn}$`);
  if (name === "pay") return new RegExp(`^pay in turn ${turn}$|^"pay" was interrupted`);
  return new RegExp(`^${name} in turn ${turn}$`);
}

/** How many calls were answered with an interruption. */
export function countInterrupted(messages: AgentMessage[]): number {
  const results = messages.filter((message) => message.role === "toolResult");
  return results.filter((result) => JSON.stringify(result.content).includes("was interrupted")).length;
}

/** Texts of the user's messages, in order. */
export function userTexts(messages: AgentMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === "user" && typeof message.content === "string" ? [message.content] : [],
  );
}

/** A reader got each turn once, and the messages that it got are those of the result, in order. */
export function auditEvents(events: DurableEvent[], result: RunResult): void {
  const ended = events.flatMap(({ event }) => (event.type === "message_end" ? [event.message] : []));
  assert.deepEqual(ended, result.messages, "the messages of the events are those of the result");
  const turns = events.flatMap(({ event, turn }) => (event.type === "turn_start" ? [turn] : []));
  assert.deepEqual(
    turns,
    turns.map((_turn, index) => index + 1),
    "each turn is told once, in order",
  );
  const frame = events.filter(({ event }) => event.type === "agent_start" || event.type === "agent_end");
  assert.deepEqual(
    frame.map(({ event }) => event.type),
    ["agent_start", "agent_end"],
  );
  assert.equal(events.at(-1)?.event.type, "agent_end");
}
