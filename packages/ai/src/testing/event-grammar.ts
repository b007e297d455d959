// Says what is wrong with the events of one model call: the order of the twelve events, and that they, the partial message and the
// final message tell the same story. It trusts nothing and throws nothing, so that it can judge any stream function.
import { isDeepStrictEqual } from "node:util";
import type { AssistantMessage, AssistantMessageEvent, ToolCall } from "../types.ts";
import { ERROR_KINDS, KEY_SHAPES } from "./grammar-facts.ts";

interface OpenBlock {
  kind: "text" | "thinking" | "toolcall";
  text: string;
  open: boolean;
  call?: ToolCall;
}

/** Most characters of a sentence for a person. */
const SENTENCE_CHARACTERS_MAX = 1_200;

/** How strictly to judge. */
export interface GrammarOptions {
  /**
   * The provider's answer was damaged on purpose: what it said of a tool call's arguments in pieces may contradict what it said at
   * the call's end. Default false.
   */
  damaged?: boolean;
}

/**
 * The faults of a sequence of events, in plain words; none for a good one. Give it the events as they came, with `partial`: events
 * without it are judged by what they have.
 */
export function checkEventGrammar(events: readonly AssistantMessageEvent[], options: GrammarOptions = {}): string[] {
  const checker = new GrammarChecker(options.damaged === true);
  for (const event of events) checker.read(event);
  return checker.finish();
}

class GrammarChecker {
  readonly #faults: string[] = [];
  readonly #blocks: OpenBlock[] = [];
  readonly #damaged: boolean;
  #index = -1;
  #started = false;
  #terminal: AssistantMessage | undefined;
  #partial: unknown;

  constructor(damaged: boolean) {
    this.#damaged = damaged;
  }

  read(event: AssistantMessageEvent): void {
    this.#index++;
    const { type } = event ?? {};
    if (this.#terminal !== undefined) {
      this.#fault(`${type} after the terminal event`);
      return;
    }
    if (type === "done" || type === "error")
      this.#end(event as Extract<AssistantMessageEvent, { type: "done" | "error" }>);
    else if (type === "start") this.#start(event as Extract<AssistantMessageEvent, { type: "start" }>);
    else this.#block(event as Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }>);
  }

  finish(): string[] {
    if (this.#terminal === undefined) this.#faults.push("no terminal event");
    return this.#faults;
  }

  #fault(what: string): void {
    this.#faults.push(`event ${this.#index}: ${what}`);
  }

  #start(event: { partial?: unknown }): void {
    if (this.#started) this.#fault("a second start");
    this.#started = true;
    this.#partial = event.partial;
  }

  #block(event: Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }>): void {
    const match = /^(text|thinking|toolcall)_(start|delta|end)$/.exec(String(event.type));
    if (!match) {
      this.#fault(`${String(event.type)} is none of the twelve events`);
      return;
    }
    if (!this.#started) this.#fault(`${event.type} before start`);
    if (event.partial !== this.#partial) this.#fault(`${event.type} has another partial message than start`);
    const kind = match[1] as OpenBlock["kind"];
    if (match[2] === "start") {
      if (event.contentIndex !== this.#blocks.length)
        this.#fault(`contentIndex ${event.contentIndex}, expected ${this.#blocks.length}`);
      this.#blocks.push({ kind, text: "", open: true });
      return;
    }
    const block = this.#blocks[event.contentIndex];
    if (!block?.open || block.kind !== kind) {
      this.#fault(`${event.type} at ${event.contentIndex}, where no ${kind} block is open`);
      return;
    }
    if (event.type.endsWith("_delta")) this.#delta(block, (event as { delta?: unknown }).delta);
    else this.#blockEnd(block, event);
  }

  #delta(block: OpenBlock, delta: unknown): void {
    if (typeof delta !== "string" || delta === "") this.#fault("a delta that is no text or an empty one");
    else block.text += delta;
  }

  #blockEnd(block: OpenBlock, event: AssistantMessageEvent): void {
    block.open = false;
    if (event.type === "toolcall_end") {
      block.call = event.toolCall;
      this.#toolCall(event.toolCall, block.text);
    } else if ((event.type === "text_end" || event.type === "thinking_end") && event.content !== block.text) {
      this.#fault(`${event.type} has other content than its deltas`);
    }
  }

  #toolCall(call: ToolCall, raw: string): void {
    if (!call?.id || !call.name || typeof call.id !== "string" || typeof call.name !== "string")
      this.#fault("a tool call without an id or a name");
    const isObject = typeof call?.arguments === "object" && call.arguments !== null && !Array.isArray(call.arguments);
    if (!isObject) this.#fault("tool call arguments that are no object");
    if (call?.malformedArguments !== undefined) {
      if (call.malformedArguments !== raw && !this.#damaged)
        this.#fault("malformedArguments is not what the deltas say");
      if (isObject && Object.keys(call.arguments).length > 0) this.#fault("a malformed call with arguments");
      return;
    }
    if (!this.#damaged && !isDeepStrictEqual(parsed(raw), call?.arguments))
      this.#fault("arguments differ from the deltas read as JSON");
  }

  #end(event: Extract<AssistantMessageEvent, { type: "done" | "error" }>): void {
    const message = event.type === "done" ? event.message : event.error;
    if (typeof message !== "object" || message === null) {
      this.#fault(`${event.type} without a message`);
      this.#terminal = {} as AssistantMessage;
      return;
    }
    this.#terminal = message;
    const reasons = event.type === "done" ? ["stop", "length", "toolUse"] : ["error", "aborted"];
    if (!reasons.includes(event.reason)) this.#fault(`${event.type} with the reason ${event.reason}`);
    if (message.stopReason !== event.reason) this.#fault("reason differs from the message's stopReason");
    if (event.type === "done") this.#done(message);
    else for (const fault of errorFaults(message)) this.#fault(fault);
    this.#compareContent(message, event.type === "done");
    for (const fault of messageFaults(message)) this.#fault(fault);
  }

  #done(message: AssistantMessage): void {
    if (!this.#started) this.#fault("done without start");
    if (message.error !== undefined || message.errorMessage !== undefined)
      this.#fault("done with an error in its message");
    const hasCalls = this.#blocks.some((block) => block.kind === "toolcall");
    if (hasCalls && message.stopReason === "stop") this.#fault("stop, though there are tool calls");
    if (!hasCalls && message.stopReason === "toolUse") this.#fault("toolUse without a tool call");
  }

  /** The final message is what the events told, and nothing else. */
  #compareContent(message: AssistantMessage, isDone: boolean): void {
    const content = Array.isArray(message.content) ? message.content : [];
    // A stream may deliver nothing but its terminal event.
    if (!this.#started && this.#blocks.length === 0) return;
    if (content.length !== this.#blocks.length)
      this.#fault(`the message has ${content.length} blocks, the events told of ${this.#blocks.length}`);
    for (const [index, block] of this.#blocks.entries()) {
      const final = content[index];
      if (block.open && isDone) this.#fault(`done while block ${index} is open`);
      if (final?.type === "text" && block.kind === "text") {
        if (final.text !== block.text) this.#fault(`the text of block ${index} is not its deltas`);
      } else if (final?.type === "thinking" && block.kind === "thinking") {
        if (final.thinking !== block.text) this.#fault(`the thinking of block ${index} is not its deltas`);
        if (block.text === "" && final.thinkingSignature === undefined && !final.redacted && !block.open)
          this.#fault(`block ${index} is thinking with nothing in it`);
      } else if (final?.type === "toolCall" && block.kind === "toolcall") this.#compareCall(final, block, index);
      else this.#fault(`block ${index} is a ${final?.type ?? "gap"} in the message and ${block.kind} in the events`);
    }
  }

  #compareCall(final: ToolCall, block: OpenBlock, index: number): void {
    if (block.open && final.malformedArguments === undefined)
      this.#fault(`the tool call of block ${index} did not end, and could be run`);
    if (block.open && Object.keys(final.arguments).length > 0)
      this.#fault(`the tool call of block ${index} did not end, and has arguments`);
    if (block.call && !isDeepStrictEqual(final, block.call))
      this.#fault(`the tool call of block ${index} changed after its end`);
  }
}

function parsed(raw: string): unknown {
  try {
    return raw.trim() === "" ? {} : JSON.parse(raw);
  } catch {
    return undefined;
  }
}

function errorFaults(message: AssistantMessage): string[] {
  const faults: string[] = [];
  const { error, errorMessage } = message;
  if (error === undefined) faults.push("an error without details");
  else {
    if (!ERROR_KINDS.has(error.kind)) faults.push(`the error kind ${error.kind} is not in the list`);
    if (typeof error.retryable !== "boolean") faults.push("retryable is not true or false");
    if (error.retryAfterMs !== undefined && !(Number.isFinite(error.retryAfterMs) && error.retryAfterMs >= 0))
      faults.push(`retryAfterMs is ${error.retryAfterMs}`);
    if ((error.kind === "aborted") !== (message.stopReason === "aborted"))
      faults.push(`the kind ${error.kind} with the stop reason ${message.stopReason}`);
  }
  if (typeof errorMessage !== "string" || !/^\S.*\s.*\S$/su.test(errorMessage))
    faults.push(`errorMessage is no sentence: ${errorMessage}`);
  else {
    if (errorMessage.length > SENTENCE_CHARACTERS_MAX) faults.push("errorMessage is too long to be read");
    if (/[\u0000-\u001f\u007f]/.test(errorMessage)) faults.push("errorMessage has control characters");
    if (/\bundefined\b|\[object /.test(errorMessage)) faults.push(`errorMessage shows a hole: ${errorMessage}`);
  }
  return faults;
}

/** What holds for every message: plain JSON, unique call ids, token counts that add up, no key. */
function messageFaults(message: AssistantMessage): string[] {
  const faults: string[] = [];
  let text = "";
  try {
    text = JSON.stringify(message);
    if (!isDeepStrictEqual(JSON.parse(text), message)) faults.push("the message does not survive JSON");
  } catch (error) {
    faults.push(`the message is no JSON: ${String(error)}`);
  }
  const { content: _content, ...rest } = message;
  if (KEY_SHAPES.test(JSON.stringify(rest))) faults.push("the message holds something that looks like a key");
  const ids = (message.content ?? []).flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  if (new Set(ids).size < ids.length) faults.push("two tool calls have one id");
  const { input, output, cacheRead, cacheWrite, totalTokens } = message.usage ?? {};
  const counts = [input, output, cacheRead, cacheWrite];
  if (counts.some((count) => count !== undefined && !(Number.isFinite(count) && count >= 0)))
    faults.push("a token count that is no number of at least 0");
  const sum = counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  if (totalTokens !== undefined && totalTokens !== sum) faults.push("totalTokens is not the sum of the counts");
  return faults;
}
