// One session of an editor: its prompts become runs, the events of a run become updates, and questions about tool calls go to the
// editor. Knows the protocol's types and no connection.
import type {
  ContentBlock,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { AgentEvent, AgentMessage } from "@rondo/agent";
import type { ImageContent } from "@rondo/ai";
import type { AskPerson } from "../../permissions/gate.ts";
import type { RunEnd } from "../../presentation/report-end.ts";
import { resolveSlashCommand, type SlashCommand } from "../../prompt/slash-commands.ts";
import type { Session } from "../../session/create-session.ts";
import { messageText } from "../../session/message-text.ts";
import { describeCall, describeResult, readPrompt, stopReasonOf } from "./content.ts";

/** The editor's side. */
export interface Editor {
  update(sessionId: string, update: SessionUpdate): Promise<void>;
  requestPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

/** A prompt that came to no answer. Its message is for the person. */
export class PromptFailure extends Error {}

/** A session, as soon as it is open. */
export class AcpSession {
  readonly #editor: Editor;
  readonly #root: string;
  readonly #commands: SlashCommand[];
  readonly #session: Session;

  constructor(session: Session, commands: SlashCommand[], root: string, editor: Editor, calls: CallQuestions) {
    this.#session = session;
    this.#commands = commands;
    this.#root = root;
    this.#editor = editor;
    calls.connect(this.id, editor, root);
    session.agent.subscribe(async (event) => {
      if (event.type === "tool_execution_start") calls.begin(event.toolCallId);
      const update = this.#updateOf(event);
      if (update) await editor.update(this.id, update);
    });
  }

  get id(): string {
    return this.#session.keeper.id;
  }

  /** Tells the editor which commands there are. */
  async announceCommands(): Promise<void> {
    const availableCommands = this.#commands.map(({ name, description, argumentHint }) => ({
      name,
      description,
      ...(argumentHint !== undefined && { input: { hint: argumentHint } }),
    }));
    if (availableCommands.length > 0)
      await this.#editor.update(this.id, { sessionUpdate: "available_commands_update", availableCommands });
  }

  /** Runs a prompt to its end. Rejects with a `PromptFailure` if the model call failed. */
  async prompt(blocks: ContentBlock[]): Promise<PromptResponse> {
    const { agent } = this.#session;
    if (agent.state.isStreaming) throw new PromptFailure("A prompt is under way. Cancel it first.");
    const { text, images } = readPrompt(blocks);
    const said = await resolveSlashCommand(text, this.#commands);
    if (said === undefined) return { stopReason: "end_turn" };
    const end = await this.#run(said, images);
    const last = agent.state.messages.findLast((message) => message.role === "assistant");
    const stopReason = stopReasonOf(end?.reason ?? "error", last?.stopReason);
    if (stopReason === undefined) throw new PromptFailure(end?.errorMessage ?? "The run ended without an answer.");
    return { stopReason };
  }

  /** Stops the run under way. */
  cancel(): void {
    this.#session.agent.abort();
  }

  /** Tells the editor everything that was said so far. */
  async replay(): Promise<void> {
    for (const message of this.#session.agent.state.messages)
      for (const update of this.#updatesOfMessage(message)) await this.#editor.update(this.id, update);
  }

  close(): void {
    this.#session.agent.abort();
    this.#session.close();
  }

  async #run(text: string, images: ImageContent[]): Promise<RunEnd | undefined> {
    const { agent } = this.#session;
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
          ...describeCall(event.toolName, event.args, this.#root),
        };
      case "tool_execution_end":
        return {
          sessionUpdate: "tool_call_update",
          toolCallId: event.toolCallId,
          status: event.isError ? "failed" : "completed",
          content: describeResult(event.result),
        };
      default:
        return undefined;
    }
  }

  #updatesOfMessage(message: AgentMessage): SessionUpdate[] {
    if (message.role === "user") return [chunk("user_message_chunk", messageText(message))];
    if (message.role === "toolResult") {
      const { toolCallId, content, isError } = message;
      const status = isError ? "failed" : "completed";
      return [
        {
          sessionUpdate: "tool_call_update",
          toolCallId,
          status,
          content: describeResult({ content, details: undefined }),
        },
      ];
    }
    return message.content.map((block): SessionUpdate => {
      if (block.type === "text") return chunk("agent_message_chunk", block.text);
      if (block.type === "thinking") return chunk("agent_thought_chunk", block.thinking);
      const call = describeCall(block.name, block.arguments, this.#root);
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

  connect(sessionId: string, editor: Editor, root: string): void {
    this.#ask = async (tool, args, { suggestions }) => {
      const always =
        suggestions.length === 0
          ? []
          : [{ optionId: "always", kind: "allow_always" as const, name: `Always allow ${suggestions.join(", ")}` }];
      const { outcome } = await editor.requestPermission({
        sessionId,
        toolCall: { toolCallId: this.#callId, status: "pending", ...describeCall(tool, args, root) },
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
