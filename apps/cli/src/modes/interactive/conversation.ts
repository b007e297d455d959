// Turns the events of the agent into blocks of the transcript. Knows nothing of keys and questions. Whatever a stream leaves
// open, the end of its message or of the run closes.
import type { AgentEvent, AgentMessage } from "@rondo/agent";
import type { AssistantMessage, ImageContent, TextContent } from "@rondo/ai";
import { readOwnCommand } from "../../session/message-text.ts";
import { ImageBlock } from "./blocks/image.ts";
import { NoticeBlock, type NoticeKind } from "./blocks/notice.ts";
import { PersonBlock, personText } from "./blocks/person.ts";
import { TextBlock } from "./blocks/text.ts";
import { ThinkingBlock } from "./blocks/thinking.ts";
import { OWN_COMMAND, ToolBlock } from "./blocks/tool.ts";
import type { View } from "./blocks/view.ts";
import { describeFailure } from "./remedies.ts";
import type { Screen } from "./screen.ts";

type MessageBlock = TextBlock | ThinkingBlock | ToolBlock;

/** The conversation on the screen. */
export class Conversation {
  readonly #screen: Screen;
  readonly #view: View;
  /** Blocks of the message that is streamed, by the index of their content. */
  #streamed = new Map<number, MessageBlock>();
  /** Calls that are not answered yet, by id. */
  #calls = new Map<string, ToolBlock>();
  #toldError: string | undefined;

  /** Messages that are not to be shown. */
  readonly unseen = new WeakSet<AgentMessage>();

  constructor(screen: Screen, view: View) {
    this.#screen = screen;
    this.#view = view;
  }

  /** Shows a notice below what is there. */
  notice(kind: NoticeKind, text: string): void {
    this.#screen.transcript.add(new NoticeBlock(this.#view, kind, text));
    this.#screen.requestRender();
  }

  /** Shows messages that were said before, as when a session is taken up again. */
  replay(messages: AgentMessage[]): void {
    for (const message of messages) {
      this.#startMessage(message);
      this.#endMessage(message);
      if (message.role === "toolResult") {
        const { content, details, isError } = message;
        this.#endCall(message.toolCallId, message.toolName, { content, details }, isError);
      }
    }
    this.#close();
    this.#screen.requestRender();
  }

  /** Takes the next event. */
  handle(event: AgentEvent): void {
    switch (event.type) {
      case "message_start":
        this.#startMessage(event.message);
        break;
      case "message_update":
        this.#update(event);
        break;
      case "message_end":
        this.#endMessage(event.message);
        break;
      case "tool_execution_start":
        this.#callBlock(event.toolCallId, event.toolName, event.args).start();
        break;
      case "tool_execution_update":
        this.#callBlock(event.toolCallId, event.toolName, event.args).update(event.partialResult);
        break;
      case "tool_execution_end":
        this.#endCall(event.toolCallId, event.toolName, event.result, event.isError);
        break;
      case "agent_end":
        this.#endRun(event);
        break;
      default:
        return;
    }
    this.#screen.requestRender();
  }

  #startMessage(message: AgentMessage): void {
    if (message.role === "user" && !this.unseen.has(message)) {
      const own = readOwnCommand(personText(message));
      this.#screen.transcript.add(own ? this.#ownCommand(own) : new PersonBlock(this.#view, message));
      if (typeof message.content !== "string") this.#addImages(message.content);
    }
    if (message.role === "assistant") this.#streamed = new Map();
  }

  /** A command of the person's, as it was shown when it had run. */
  #ownCommand({ command, output }: { command: string; output: string }): ToolBlock {
    const block = new ToolBlock(this.#view, OWN_COMMAND);
    block.setCall(OWN_COMMAND, { command }, true);
    block.finish({ content: [{ type: "text", text: output }], details: undefined }, false);
    return block;
  }

  #update({ assistantMessageEvent: event, message, retry }: Extract<AgentEvent, { type: "message_update" }>): void {
    if (retry) {
      this.#forgetAttempt();
      const { attempt, attemptsMax, delayMs, errorMessage } = retry;
      const pause = `Trying again in ${Math.ceil(delayMs / 1000)} s`;
      this.notice("warning", `Attempt ${attempt} of ${attemptsMax} failed: ${errorMessage} ${pause}.`);
      return;
    }
    if (!("contentIndex" in event)) return;
    const block = this.#blockAt(event.contentIndex, message);
    if (block instanceof ToolBlock) this.#updateCall(block, event, message);
    else if ("delta" in event) block?.append(event.delta);
    else if ("content" in event) block?.finish(event.content);
  }

  #updateCall(block: ToolBlock, event: { type: string; contentIndex: number }, message: AssistantMessage): void {
    const call = message.content[event.contentIndex];
    if (call?.type !== "toolCall") return;
    block.setCall(call.name, call.arguments, event.type === "toolcall_end");
    if (event.type === "toolcall_end") this.#calls.set(call.id, block);
  }

  #blockAt(index: number, message: AssistantMessage): MessageBlock | undefined {
    const known = this.#streamed.get(index);
    if (known) return known;
    const content = message.content[index];
    if (!content) return undefined;
    const block =
      content.type === "text"
        ? new TextBlock(this.#view)
        : content.type === "thinking"
          ? new ThinkingBlock(this.#view)
          : new ToolBlock(this.#view, content.name);
    this.#streamed.set(index, block);
    this.#screen.transcript.add(block);
    return block;
  }

  /** A message is whole: what its stream did not show is shown now. */
  #endMessage(message: AgentMessage): void {
    if (message.role !== "assistant") return;
    message.content.forEach((content, index) => {
      const isNew = !this.#streamed.has(index);
      const block = this.#blockAt(index, message);
      if (block instanceof ToolBlock && content.type === "toolCall") {
        block.setCall(content.name, content.arguments, true);
        this.#calls.set(content.id, block);
      } else if (block instanceof TextBlock && content.type === "text") block.finish(content.text);
      else if (block instanceof ThinkingBlock && content.type === "thinking") {
        if (isNew) block.append(content.thinking);
        block.finish();
      }
    });
    this.#streamed = new Map();
    if (message.stopReason === "error") {
      this.#toldError = message.errorMessage;
      this.notice("error", describeFailure(message));
    }
    if (message.stopReason === "length")
      this.notice("warning", "The answer reached its limit of tokens and was cut. Say “go on” for the rest.");
  }

  #callBlock(id: string, name: string, args: Record<string, unknown>): ToolBlock {
    const known = this.#calls.get(id);
    if (known) return known;
    const block = new ToolBlock(this.#view, name);
    block.setCall(name, args, true);
    this.#calls.set(id, block);
    this.#screen.transcript.add(block);
    return block;
  }

  #endCall(id: string, name: string, result: Parameters<ToolBlock["finish"]>[0], isError: boolean): void {
    const block = this.#callBlock(id, name, {});
    this.#calls.delete(id);
    const isOutOfReach = this.#screen.isOutOfReach(block);
    // What it came to would not be seen where the call stands.
    const shown = isOutOfReach ? block.copy() : block;
    shown.finish(result, isError);
    if (isOutOfReach) this.#screen.transcript.add(shown);
    this.#addImages(result.content);
  }

  #addImages(content: (TextContent | ImageContent)[]): void {
    for (const part of content)
      if (part.type === "image") this.#screen.transcript.add(new ImageBlock(this.#view, part));
  }

  #forgetAttempt(): void {
    for (const block of this.#streamed.values()) this.#screen.transcript.remove(block);
    this.#streamed = new Map();
  }

  #endRun({ reason, errorMessage }: Extract<AgentEvent, { type: "agent_end" }>): void {
    this.#close();
    if (reason === "aborted") this.notice("warning", "Stopped.");
    if (reason === "budget") this.notice("warning", errorMessage ?? "A limit was reached.");
    if (reason === "empty") this.notice("warning", "The model's answer was empty. Say it in other words, or /model.");
    // The message that failed has been told of with what to do about it.
    if (reason === "error" && (errorMessage === undefined || errorMessage !== this.#toldError))
      this.notice("error", errorMessage ?? "The run failed.");
    this.#toldError = undefined;
  }

  #close(): void {
    for (const block of [...this.#streamed.values(), ...this.#calls.values()])
      if (block instanceof ToolBlock) block.drop();
      else if (block instanceof ThinkingBlock) block.finish();
      else block.finish("");
    this.#streamed = new Map();
    this.#calls = new Map();
  }
}
