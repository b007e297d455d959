// A model for tests that says what a script tells it to: a strict double behind the stream-function contract. A call that
// the script does not expect fails and says so; steps that are left over fail at finish().
import { AssistantMessageEventStream } from "../event-stream.ts";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  Context,
  ErrorDetails,
  Model,
  SimpleStreamOptions,
  StopReason,
  TextContent,
  ThinkingContent,
  ToolCall,
  Usage,
} from "../types.ts";

/** A block of an answer. */
export type ScriptedBlock = TextContent | ThinkingContent | ToolCall;

/** One model call of a script. */
export type ScriptedStep =
  /** A text. */
  | string
  | ScriptedBlock[]
  | {
      content: ScriptedBlock[];
      /** Default: `toolUse` where there are calls, else `stop`. */
      stopReason?: "stop" | "length" | "toolUse";
      usage?: Usage;
    }
  /** Fails, after the content if there is any. */
  | { error: Partial<ErrorDetails>; content?: ScriptedBlock[]; errorMessage?: string; usage?: Usage }
  /** Says the content and then nothing more until the call is aborted. */
  | { hang: true; content?: ScriptedBlock[] }
  /** Decides when it is called. */
  | ((context: Context, options: SimpleStreamOptions) => ScriptedStep | Promise<ScriptedStep>);

/** What the script's model was asked. */
export interface ScriptedRequest {
  model: Model;
  /** A copy as of the call; tools keep their names and schemas alone. */
  context: Context;
  options: SimpleStreamOptions;
}

/** How a scripted model is to behave. */
export interface ScriptedModelOptions {
  /** Fields of the model that differ from the script's own. */
  model?: Partial<Model>;
  /** Usage of steps that name none. Default: nothing is reported. */
  usage?: Usage;
  /** Characters per delta. Default 8. */
  deltaCharacters?: number;
  /** Milliseconds since 1970 for the messages. Default 0, so that whole messages can be compared. */
  now?: () => number;
}

/** A model that follows a script, and what it was asked. */
export interface ScriptedModel {
  model: Model;
  streamFn: (model: Model, context: Context, options?: SimpleStreamOptions) => AssistantMessageEventStream;
  /** The calls so far, oldest first. */
  requests: ScriptedRequest[];
  /** Throws if steps are left, or if there were more calls than steps. */
  finish(): void;
}

type Answer = Exclude<ScriptedStep, string | ScriptedBlock[] | ((...args: never[]) => unknown)>;

/** Makes a model out of a list of steps, one for each call that is expected. */
export function scriptedModel(steps: ScriptedStep[], options: ScriptedModelOptions = {}): ScriptedModel {
  const model = { ...SCRIPTED_MODEL, ...options.model };
  const requests: ScriptedRequest[] = [];
  return {
    model,
    requests,
    streamFn: (asked, context, callOptions = {}) => {
      const step = steps[requests.length];
      requests.push({ model: asked, context: copyOf(context), options: callOptions });
      const stream = new AssistantMessageEventStream();
      const number = requests.length;
      const unexpected = `The script has ${steps.length} steps, but the model was called ${number} times.`;
      const speaker = new Speaker(stream, asked, options);
      void resolveStep(step, context, callOptions).then(
        (answer) => (answer ? speaker.say(answer, callOptions.signal) : speaker.fail(unexpected)),
        (error: unknown) => speaker.fail(error instanceof Error ? error.message : String(error)),
      );
      return stream;
    },
    finish: () => {
      if (requests.length === steps.length) return;
      throw new Error(`The script has ${steps.length} steps, but the model was called ${requests.length} times.`);
    },
  };
}

const SCRIPTED_MODEL: Model = {
  id: "scripted",
  name: "Scripted model",
  api: "scripted",
  provider: "scripted",
  baseUrl: "",
  reasoning: true,
  input: ["text", "image"],
  cost: {},
};

function copyOf(context: Context): Context {
  const tools = context.tools?.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return { ...context, messages: structuredClone(context.messages), ...(tools ? { tools } : {}) };
}

async function resolveStep(
  step: ScriptedStep | undefined,
  context: Context,
  options: SimpleStreamOptions,
): Promise<Answer | undefined> {
  if (typeof step === "function") return resolveStep(await step(context, options), context, options);
  if (typeof step === "string") return { content: [{ type: "text", text: step }] };
  return Array.isArray(step) ? { content: step } : step;
}

/** Speaks one answer into one stream, in the grammar of the twelve events. */
class Speaker {
  readonly #stream: AssistantMessageEventStream;
  readonly #partial: AssistantMessage;
  readonly #options: ScriptedModelOptions;

  constructor(stream: AssistantMessageEventStream, model: Model, options: ScriptedModelOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#partial = {
      role: "assistant",
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: options.usage ?? { cost: {} },
      stopReason: "stop",
      timestamp: options.now?.() ?? 0,
    };
  }

  say(answer: Answer, signal: AbortSignal | undefined): void {
    if (signal?.aborted) this.#abort();
    else {
      const content = answer.content ?? [];
      if ("usage" in answer && answer.usage) this.#partial.usage = answer.usage;
      if (!("error" in answer) || content.length > 0) this.#push({ type: "start", partial: this.#partial });
      for (const [contentIndex, block] of content.entries()) this.#speak(structuredClone(block), contentIndex);
      this.#close(answer, signal);
    }
  }

  #close(answer: Answer, signal: AbortSignal | undefined): void {
    if ("error" in answer) this.fail(answer.errorMessage ?? "The scripted call failed.", answer.error);
    else if ("hang" in answer) signal?.addEventListener("abort", () => this.#abort(), { once: true });
    else {
      const calls = answer.content.some((block) => block.type === "toolCall");
      this.#done(answer.stopReason ?? (calls ? "toolUse" : "stop"));
    }
  }

  #abort(): void {
    this.#end("aborted", "The request was aborted.", { kind: "aborted", retryable: false });
  }

  fail(errorMessage: string, error: Partial<ErrorDetails> = {}): void {
    this.#end("error", errorMessage, { kind: "unknown", retryable: false, ...error });
  }

  #speak(block: ScriptedBlock, contentIndex: number): void {
    const partial = this.#partial;
    const at = { contentIndex, partial };
    if (block.type === "text") {
      const text = { ...block, text: "" };
      partial.content.push(text);
      this.#push({ type: "text_start", ...at });
      this.#deltas(block.text, (delta) => {
        text.text += delta;
        this.#push({ type: "text_delta", delta, ...at });
      });
      this.#push({ type: "text_end", content: block.text, ...at });
    } else if (block.type === "thinking") {
      const thinking = { ...block, thinking: "" };
      partial.content.push(thinking);
      this.#push({ type: "thinking_start", ...at });
      this.#deltas(block.thinking, (delta) => {
        thinking.thinking += delta;
        this.#push({ type: "thinking_delta", delta, ...at });
      });
      this.#push({ type: "thinking_end", content: block.thinking, ...at });
    } else this.#speakCall(block, contentIndex);
  }

  #speakCall(toolCall: ToolCall, contentIndex: number): void {
    const partial = this.#partial;
    const growing: ToolCall = { type: "toolCall", id: toolCall.id, name: toolCall.name, arguments: {} };
    partial.content.push(growing);
    this.#push({ type: "toolcall_start", contentIndex, partial });
    this.#deltas(toolCall.malformedArguments ?? JSON.stringify(toolCall.arguments), (delta) =>
      this.#push({ type: "toolcall_delta", contentIndex, delta, partial }),
    );
    Object.assign(growing, toolCall);
    this.#push({ type: "toolcall_end", contentIndex, toolCall: growing, partial });
  }

  #deltas(text: string, push: (delta: string) => void): void {
    const size = this.#options.deltaCharacters ?? 8;
    for (let start = 0; start < text.length; start += size) push(text.slice(start, start + size));
  }

  #done(reason: Exclude<StopReason, "error" | "aborted">): void {
    this.#partial.stopReason = reason;
    this.#push({ type: "done", reason, message: this.#partial });
  }

  #end(reason: "error" | "aborted", errorMessage: string, error: ErrorDetails): void {
    Object.assign(this.#partial, { stopReason: reason, errorMessage, error });
    this.#push({ type: "error", reason, error: this.#partial });
  }

  #push(event: AssistantMessageEvent): void {
    this.#stream.push(event);
  }
}
