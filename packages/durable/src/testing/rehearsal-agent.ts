// The agent of the conformance suite: a model that follows a plan, with random call ids, and tools that write what they
// really do into an append-only log, which is what the suite believes. Invariant: what it says depends on its input and
// the conversation alone.
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentToolResult } from "@rondo/agent";
import { type AssistantMessage, AssistantMessageEventStream, type Context, type Model, Type } from "@rondo/ai";
import type { AgentFactory, DurableTool, DurableToolScope, Json } from "../types.ts";

/** What a rehearsal is to do. */
export interface RehearsalInput {
  /** Where the tools write what they do. */
  logPath: string;
  /** Model turns with tool calls; one more turn follows and ends the run. */
  turns: number;
  /** Milliseconds that a model call takes. */
  modelMs: number;
  /** Milliseconds that a tool call takes. */
  toolMs: number;
  /** Kills the process whenever the model has spoken in this turn. */
  poisonTurn?: number;
  segmentStepsMax?: number;
}

/** One line of the log. */
export interface LogEntry {
  runId: string;
  tool: string;
  phase: "start" | "end";
  /** Turn and tool: the same for every attempt of a call, whatever its id. */
  key: string;
  idempotencyKey: string;
  pid: number;
}

const MODEL: Model = {
  id: "rehearsal",
  name: "Rehearsal",
  api: "rehearsal",
  provider: "rehearsal",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: {},
};

/** What each turn with calls calls: one tool that may be repeated, one that may not, one that fails. */
export const REHEARSAL_TOOLS = ["read", "pay", "refuse"] as const;

/** Makes the agent. Its input is a `RehearsalInput`. */
export const rehearsalAgent: AgentFactory = (json: Json, scope) => {
  const input = json as unknown as RehearsalInput;
  return {
    model: MODEL,
    streamFn: (_model, context, options) => speak(input, context, options?.signal),
    prompt: `Rehearse ${input.turns} turns.`,
    tools: REHEARSAL_TOOLS.map((name) => loggingTool(name, scope.runId, input)),
    config: { abortGraceMs: 500 },
    ...(input.segmentStepsMax === undefined ? {} : { segmentStepsMax: input.segmentStepsMax }),
  };
};

const PARAMETERS = Type.Object({ turn: Type.Number() });

function loggingTool(
  name: (typeof REHEARSAL_TOOLS)[number],
  runId: string,
  input: RehearsalInput,
): DurableTool<typeof PARAMETERS> {
  return {
    name,
    label: name,
    description: `Rehearses ${name}`,
    parameters: PARAMETERS,
    ...(name === "pay" ? {} : { replay: "safe" as const }),
    execute: async (_id, { turn }, signal, _onUpdate, scope): Promise<AgentToolResult> => {
      const { idempotencyKey } = scope as DurableToolScope;
      const log = (phase: LogEntry["phase"]) => {
        const entry: LogEntry = { runId, tool: name, phase, key: `${turn}:${name}`, idempotencyKey, pid: process.pid };
        appendFileSync(input.logPath, `${JSON.stringify(entry)}\n`);
      };
      log("start");
      await delay(input.toolMs, undefined, signal ? { signal } : {});
      log("end");
      if (name === "refuse") throw new Error(`refused in turn ${turn}`);
      return { content: [{ type: "text", text: `${name} in turn ${turn}` }], details: {} };
    },
  };
}

function speak(input: RehearsalInput, context: Context, signal: AbortSignal | undefined): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  const turn = context.messages.filter((message) => message.role === "assistant").length + 1;
  const partial: AssistantMessage = {
    role: "assistant",
    content: [],
    api: MODEL.api,
    provider: MODEL.provider,
    model: MODEL.id,
    usage: { input: 1, output: 1, totalTokens: 2, cost: {} },
    stopReason: "stop",
    timestamp: Date.now(),
  };
  stream.push({ type: "start", partial });
  const text = `turn ${turn}`;
  const block = { type: "text" as const, text: "" };
  partial.content.push(block);
  stream.push({ type: "text_start", contentIndex: 0, partial });
  for (const delta of [text.slice(0, 3), text.slice(3)]) {
    block.text += delta;
    stream.push({ type: "text_delta", contentIndex: 0, delta, partial });
  }
  stream.push({ type: "text_end", contentIndex: 0, content: text, partial });
  void delay(input.modelMs, undefined, signal ? { signal } : {}).then(
    () => {
      if (turn === input.poisonTurn) process.kill(process.pid, "SIGKILL");
      finish(stream, partial, turn <= input.turns ? turn : undefined);
    },
    () => stream.push({ type: "error", reason: "aborted", error: { ...partial, stopReason: "aborted" } }),
  );
  return stream;
}

/** Ends the message, with the calls of a turn if it has any. */
function finish(stream: AssistantMessageEventStream, partial: AssistantMessage, turn: number | undefined): void {
  if (turn === undefined) {
    stream.push({ type: "done", reason: "stop", message: partial });
    return;
  }
  for (const name of REHEARSAL_TOOLS) {
    const toolCall = { type: "toolCall" as const, id: `call_${randomUUID()}`, name, arguments: { turn } };
    const contentIndex = partial.content.length;
    partial.content.push(toolCall);
    stream.push({ type: "toolcall_start", contentIndex, partial });
    stream.push({ type: "toolcall_end", contentIndex, toolCall, partial });
  }
  partial.stopReason = "toolUse";
  stream.push({ type: "done", reason: "toolUse", message: partial });
}
