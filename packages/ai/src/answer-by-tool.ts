// Turns the call of the tool that stands in for a response schema into the text that a server with schemas would have sent. What the model
// says beside that call is no part of the answer: it is held back until it is known whether there is such a call, and then kept as thinking.
// Invariant: nothing that came is lost, and a message without the call is as it would be without this file.

import { isDelta, type TextBlock, type ThinkingBlock, type ToolCallBlock } from "./content-blocks.ts";
import { argumentText } from "./decoding/argument-text.ts";
import type { AnswerTool } from "./request/structured-answer.ts";

/** Where the blocks go that have been decided on. */
export interface BlockSink {
  openText(): TextBlock;
  openThinking(): ThinkingBlock;
  openToolCall(id: string | undefined, name: string | undefined): ToolCallBlock;
  /** The tool's own name for the one that the model used. */
  toolName(wireName: string): string;
}

export class AnswerByTool {
  readonly #tool: AnswerTool;
  readonly #sink: BlockSink;
  #held: HeldText[] = [];
  readonly #undecided = new Set<HeldCall>();
  /** The answers that have begun. Only the first is told as one. */
  readonly #answers: AnswerText[] = [];

  constructor(tool: AnswerTool, sink: BlockSink) {
    this.#tool = tool;
    this.#sink = sink;
  }

  /** Whether something has come that no event has told of yet. */
  get holds(): boolean {
    return this.#held.some((text) => text.text !== "") || this.#undecided.size > 0;
  }

  /** Whether a tool of this name on the wire is the one that gives the answer. */
  isAnswer(wireName: string): boolean {
    return this.#sink.toolName(wireName) === this.#tool.name;
  }

  openText(): TextBlock {
    const text = new HeldText(this.#sink);
    this.#held.push(text);
    return text;
  }

  openToolCall(id: string | undefined, name: string | undefined): ToolCallBlock {
    const call: HeldCall = new HeldCall((wireName) => {
      this.#undecided.delete(call);
      return this.#decide(call.id || undefined, wireName);
    });
    this.#undecided.add(call);
    call.identify(id, name);
    return call;
  }

  /** The message is over: what is still held is told, as text unless there is an answer. */
  settle(isWhole: boolean): void {
    for (const call of [...this.#undecided]) call.decide("");
    this.#letGo();
    for (const answer of this.#answers) answer.settle(isWhole);
  }

  #decide(id: string | undefined, wireName: string): CallTarget {
    if (wireName === "" || !this.isAnswer(wireName)) {
      this.#letGo();
      return this.#sink.openToolCall(id, wireName || undefined);
    }
    const isFirst = this.#answers.length === 0;
    this.#letGo("thinking");
    const block = isFirst ? this.#sink.openText() : this.#sink.openThinking();
    const answer = new AnswerText(block, this.#tool.wrappedIn);
    this.#answers.push(answer);
    return answer;
  }

  #letGo(as: "text" | "thinking" = this.#answers.length > 0 ? "thinking" : "text"): void {
    for (const text of this.#held) text.release(as);
    this.#held = [];
  }
}

/** Text of which it is not known yet whether it is the answer or stands beside it. */
class HeldText implements TextBlock {
  readonly #sink: BlockSink;
  text = "";
  #signature = "";
  #released: TextBlock | undefined;
  #isText = false;
  #hasEnded = false;

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  append(delta: string): void {
    if (!isDelta(delta)) return;
    if (this.#released) this.#released.append(delta);
    else this.text += delta;
  }

  /** A signature belongs to the text as text. */
  sign(signature: string): void {
    if (this.#isText) this.#released?.sign(signature);
    else if (isDelta(signature)) this.#signature = signature;
  }

  end(): void {
    this.#hasEnded = true;
    this.#released?.end();
  }

  release(as: "text" | "thinking"): void {
    if (this.text === "" && this.#signature === "" && this.#hasEnded) return;
    const block = as === "text" ? this.#sink.openText() : this.#sink.openThinking();
    this.#released = block;
    this.#isText = as === "text";
    block.append(this.text);
    if (this.#isText && this.#signature !== "") block.sign(this.#signature);
    if (this.#hasEnded) block.end();
  }
}

type CallTarget = Pick<ToolCallBlock, "identify" | "append" | "sign" | "end"> & { readonly raw?: string };

/** A call that is passed on as soon as it has a name. */
class HeldCall implements ToolCallBlock {
  readonly #target: (wireName: string) => CallTarget;
  #decided: CallTarget | undefined;
  #signature = "";
  #raw = "";
  id = "";
  name = "";

  constructor(target: (wireName: string) => CallTarget) {
    this.#target = target;
  }

  get raw(): string {
    return this.#raw;
  }

  identify(id: string | undefined, name: string | undefined): void {
    this.id ||= id ? String(id) : "";
    if (!this.name && isDelta(name)) this.name = name;
    if (this.#decided) this.#decided.identify(id, name);
    else if (this.name !== "") this.decide(this.name);
  }

  append(delta: string): void {
    if (!isDelta(delta)) return;
    this.#raw += delta;
    this.#decided?.append(delta);
  }

  sign(signature: string): void {
    if (this.#decided) this.#decided.sign(signature);
    else this.#signature = signature;
  }

  end(whole?: unknown): void {
    if (!this.#decided) this.decide("");
    this.#decided?.end(whole);
  }

  decide(wireName: string): void {
    if (this.#decided) return;
    this.#decided = this.#target(wireName);
    this.#decided.append(this.#raw);
    if (this.#signature !== "") this.#decided.sign(this.#signature);
  }
}

/** The arguments of the call, written as the text of the answer. */
class AnswerText implements CallTarget {
  readonly #block: Pick<TextBlock, "append" | "end">;
  readonly #wrappedIn: string | undefined;
  #raw = "";
  #isSettled = false;

  constructor(block: Pick<TextBlock, "append" | "end">, wrappedIn: string | undefined) {
    this.#block = block;
    this.#wrappedIn = wrappedIn;
  }

  identify(): void {}

  /** What signs a call does not sign a text. */
  sign(): void {}

  append(delta: string): void {
    this.#raw += delta;
    if (this.#wrappedIn === undefined) this.#block.append(delta);
  }

  end(whole?: unknown): void {
    const text = argumentText(whole);
    if (text.startsWith(this.#raw)) this.append(text.slice(this.#raw.length));
    this.settle(true);
    this.#block.end();
  }

  /** Tells what can only be told once all has come. */
  settle(isWhole: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#wrappedIn !== undefined) this.#block.append(unwrapped(this.#raw, this.#wrappedIn));
    else if (isWhole && this.#raw.trim() === "") this.#block.append("{}");
  }
}

/** The value of the only argument as JSON; the arguments as they came where they are not what was asked for. */
function unwrapped(raw: string, name: string): string {
  try {
    const value: unknown = (JSON.parse(raw) as Record<string, unknown> | null)?.[name];
    return value === undefined ? raw : JSON.stringify(value);
  } catch {
    return raw;
  }
}
