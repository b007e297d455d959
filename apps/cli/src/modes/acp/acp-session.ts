// One session of an editor: its prompts become runs, the events of a run become updates, and questions about tool calls go to the
// editor. Knows the protocol's types and no connection.
import type {
  ContentBlock,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionConfigOption,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Agent, AgentEvent, AgentMessage } from "@rondo/agent";
import type { ImageContent, Model } from "@rondo/ai";
import { prepareContents } from "../../images/prepare-image.ts";
import type { AskPerson } from "../../permissions/gate.ts";
import type { RunEnd } from "../../presentation/report-end.ts";
import { resolveSlashCommand, type SlashCommand } from "../../prompt/slash-commands.ts";
import type { Session } from "../../session/create-session.ts";
import { messageText } from "../../session/message-text.ts";
import { chooseOption, describeOptions } from "./config-options.ts";
import { readPrompt, stopReasonOf } from "./content.ts";
import { describeCall, describeResult, type Place, proposedChange } from "./tool-calls.ts";

/** The editor's side. */
export interface Editor {
  update(sessionId: string, update: SessionUpdate): Promise<void>;
  requestPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

/** A prompt that came to no answer. Its message is for the person. */
export class PromptFailure extends Error {}

/** What an editor works with. */
export interface OpenedSession {
  session: Session;
  commands: SlashCommand[];
  /** The models that may be chosen. */
  models: Model[];
  place: Place;
}

/** A session, as soon as it is open. */
export class AcpSession {
  readonly #editor: Editor;
  readonly #opened: OpenedSession;

  constructor(opened: OpenedSession, editor: Editor, calls: CallQuestions) {
    this.#opened = opened;
    this.#editor = editor;
    const { session, place } = opened;
    calls.connect(this.id, editor, place);
    session.agent.subscribe(async (event) => {
      if (event.type === "tool_execution_start") calls.begin(event.toolCallId);
      const update = this.#updateOf(event);
      if (update) await editor.update(this.id, update);
    });
  }

  get id(): string {
    return this.#opened.session.keeper.id;
  }

  get #agent(): Agent {
    return this.#opened.session.agent;
  }

  /** What the editor may choose. */
  get options(): SessionConfigOption[] {
    return describeOptions(this.#agent, this.#opened.models);
  }

  /** Makes one of the choices. Throws an error for people if there is no such choice. */
  choose(id: string, value: unknown): void {
    chooseOption(this.#agent, this.#opened.models, id, value);
  }

  /** Tells the editor which commands there are. */
  async announceCommands(): Promise<void> {
    const availableCommands = this.#opened.commands.map(({ name, description, argumentHint }) => ({
      name,
      description,
      ...(argumentHint !== undefined && { input: { hint: argumentHint } }),
    }));
    if (availableCommands.length > 0)
      await this.#editor.update(this.id, { sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Runs a prompt to its end. Rejects with a `PromptFailure` if the model call failed. */
  async prompt(blocks: ContentBlock[]): Promise<PromptResponse> {
    const agent = this.#agent;
    if (agent.state.isStreaming) throw new PromptFailure("A prompt is under way. Cancel it first.");
    const { text, images } = readPrompt(blocks);
    const said = await resolveSlashCommand(text, this.#opened.commands);
    if (said === undefined) return { stopReason: "end_turn" };
    const prepared = await prepareContents(images).catch((error: Error) => {
      throw new PromptFailure(error.message);
    });
    const end = await this.#run(said, prepared);
    const last = agent.state.messages.findLast((message) => message.role === "assistant");
    const stopReason = stopReasonOf(end?.reason ?? "error", last?.stopReason);
    if (stopReason === undefined) throw new PromptFailure(end?.errorMessage ?? "The run ended without an answer.");
    return { stopReason };
  }

  /** Stops the run under way. */
  cancel(): void {
    this.#agent.abort();
  }

  /** Tells the editor everything that was said so far. */
  async replay(): Promise<void> {
    for (const message of this.#agent.state.messages)
      for (const update of this.#updatesOfMessage(message)) await this.#editor.update(this.id, update);
  }

  close(): void {
    this.#agent.abort();
    this.#opened.session.close();
  }

  async #run(text: string, images: ImageContent[]): Promise<RunEnd | undefined> {
    const agent = this.#agent;
    let end: RunEnd | undefined;
    const stopListening = agent.subscribe((event) => {
      if (event.type === "agent_end") end = event;
    });
    await agent.prompt(text, images).finally(stopListening);
    return end;
  }

  #updateOf(event: AgentEvent): SessionUpdate | undefined {
    switch (event.type) {
      case "message_update": {
        const update = event.assistantMessageEvent;
        if (update.type === "text_delta") return chunk("agent_message_chunk", update.delta);
        if (update.type === "thinking_delta") return chunk("agent_thought_chunk", update.delta);
        return undefined;
      }
      case "tool_execution_start":
        return {
          sessionUpdate: "tool_call",
          toolCallId: event.toolCallId,
          status: "in_progress",
          ...describeCall(event.toolName, event.args, this.#opened.place),
        };
      case "tool_execution_update":
        return {
          sessionUpdate: "tool_call_update",
          toolCallId: event.toolCallId,
          ...describeResult(event.partialResult, this.#opened.place),
        };
      case "tool_execution_end":
        return {
          sessionUpdate: "tool_call_update",
          toolCallId: event.toolCallId,
          status: event.isError ? "failed" : "completed",
          ...describeResult(event.result, this.#opened.place),
        };
      default:
        return undefined;
    }
  }

  #updatesOfMessage(message: AgentMessage): SessionUpdate[] {
    if (message.role === "user") return [chunk("user_message_chunk", messageText(message))];
    if (message.role === "toolResult") {
      const { toolCallId, content, details, isError } = message;
      const status = isError ? "failed" : "completed";
      const result = describeResult({ content, details }, this.#opened.place);
      return [{ sessionUpdate: "tool_call_update", toolCallId, status, ...result }];
    }
    return message.content.map((block): SessionUpdate => {
      if (block.type === "text") return chunk("agent_message_chunk", block.text);
      if (block.type === "thinking") return chunk("agent_thought_chunk", block.thinking);
      const call = describeCall(block.name, block.arguments, this.#opened.place);
      return { sessionUpdate: "tool_call", toolCallId: block.id, status: "pending", ...call };
    });
  }
}

/** Brings questions about tool calls to the editor. It is there before the session, which needs it to be made. */
export class CallQuestions {
  #ask: AskPerson = async () => false;
  /** Calls are prepared one by one, so the one that began last is the one that is asked about. */
  #callId = "";

  begin(toolCallId: string): void {
    this.#callId = toolCallId;
  }

  connect(sessionId: string, editor: Editor, place: Place): void {
    this.#ask = async (tool, args, { suggestions }) => {
      const always =
        suggestions.length === 0
          ? []
          : [{ optionId: "always", kind: "allow_always" as const, name: `Always allow ${suggestions.join(", ")}` }];
      const toolCallId = this.#callId;
      const content = await proposedChange(tool, args, place);
      const change = content.length > 0 ? { content } : {};
      const { outcome } = await editor.requestPermission({
        sessionId,
        toolCall: { toolCallId, status: "pending", ...describeCall(tool, args, place), ...change },
        options: [
          { optionId: "once", kind: "allow_once", name: "Allow" },
          ...always,
          { optionId: "no", kind: "reject_once", name: "Refuse" },
        ],
      });
      if (outcome.outcome !== "selected" || outcome.optionId === "no") return false;
      return outcome.optionId === "always" ? { allow: true, remember: "session" } : true;
    };
  }

  /** The gate's question. */
  readonly ask: AskPerson = (tool, args, decision) => this.#ask(tool, args, decision);
}

function chunk(
  sessionUpdate: "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: "text", text } };
}
