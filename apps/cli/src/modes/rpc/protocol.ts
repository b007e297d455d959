// The lines of RPC mode, for both sides. One JSON object a line, ended by a line feed. Every request has an id and gets exactly
// one response with that id; events and permission questions come in between. docs/rpc.md describes the same for people.
import type { AgentEvent, AgentMessage } from "@rondo/agent";
import type { ImageContent, ThinkingLevel, Usage } from "@rondo/ai";

/** Version of the protocol. It rises when a client of the old one would break. */
export const RPC_VERSION = 1;

/** What a client may ask for, by the name of the command: what it sends, and what the response holds. */
export interface RpcCommands {
  /** Starts a run. Answered at once, before its events; refused while another run is under way. */
  prompt: { request: { message: string; images?: ImageContent[] }; data: undefined };
  /** Adds a message to the run under way, after the current turn. Without a run it waits for the next. */
  steer: { request: { message: string }; data: undefined };
  /** Adds a message for when the run would end. */
  follow_up: { request: { message: string }; data: undefined };
  /** Stops the run and the client's commands under way. Answered when they have ended; `false` if there were none. */
  abort: { request: object; data: { aborted: boolean } };
  /** Changes the model from the next run on. Takes what `--model` takes. */
  set_model: { request: { model: string }; data: { model: string } };
  set_thinking: { request: { level: ThinkingLevel }; data: undefined };
  get_state: { request: object; data: RpcState };
  get_messages: { request: object; data: { messages: AgentMessage[] } };
  /** Begins another session. Refused while a run is under way, like all that moves within sessions or between them. */
  new: { request: object; data: { session: string } };
  /** The sessions of the workspace that are kept, without this one, the one that was changed last first. */
  list_sessions: { request: object; data: { sessions: RpcSession[] } };
  /** Goes on with a session: its id, the end of it, or a part of its title. */
  resume: { request: { session: string }; data: { session: string } };
  /** Goes on in a copy of this session, up to an entry or whole. */
  fork: { request: { entry?: string }; data: { session: string } };
  /** The entries of this session as they hang together. */
  get_tree: { request: object; data: { leaf: string | null; entries: RpcTreeEntry[] } };
  /** Goes on after an entry, on a branch of its own; null goes back to the beginning. */
  branch: { request: { entry: string | null }; data: undefined };
  set_name: { request: { name: string }; data: undefined };
  /** Marks an entry; an empty text takes the mark off. */
  set_label: { request: { entry: string; label: string }; data: undefined };
  /** Puts notes in the place of what was said long ago. Answered when it is done. */
  compact: { request: { instructions?: string }; data: { message: string } };
  /**
   * Runs a command as the client's own, without a permission; the model does not hear of it. Answered when it has ended, while other
   * requests go on. `timeout` in seconds, 120 by default.
   */
  bash: {
    request: { command: string; timeout?: number };
    data: { output: string; exitCode?: number; timedOut: boolean; outputFile?: string };
  };
  /** Answers a permission question. `false` if nobody asks it any more. */
  permission_answer: { request: { questionId: string } & RpcPermissionAnswer; data: { taken: boolean } };
}

/** What a person may answer to a permission question. */
export interface RpcPermissionAnswer {
  allow: boolean;
  /** Why not; goes to the model. */
  reason?: string;
  /** Allows for good, by the rule that the question suggests. Refused where it suggests none. */
  remember?: "session" | "project";
}

/** The name of a command. */
export type RpcCommand = keyof RpcCommands;

/** A session that is kept. */
export interface RpcSession {
  id: string;
  title: string;
  /** Milliseconds since 1970. */
  changedAt: number;
  messageCount: number;
}

/** An entry of a session. */
export interface RpcTreeEntry {
  id: string;
  parentId: string | null;
  type: string;
  /** Of messages: who said it, and its text, cut to 200 characters. */
  role?: string;
  text?: string;
  label?: string;
}

/** Where a session stands. */
export interface RpcState {
  model: string;
  thinking: ThinkingLevel;
  isRunning: boolean;
  messageCount: number;
  workspace: string;
  /** Id of the session. */
  session: string;
  name?: string;
}

/** A line that a client sends. */
export type RpcRequest = { [C in RpcCommand]: { id: string; type: C } & RpcCommands[C]["request"] }[RpcCommand];

/** The response to one request. `id` is null if the line had none that could be read. */
export type RpcResponse =
  | { type: "response"; id: string; command: string; ok: true; data?: unknown }
  | { type: "response"; id: string | null; command: string | null; ok: false; error: string };

/** An event of a run, without what grows with each one. */
export type RpcEvent =
  | Exclude<AgentEvent, { type: "message_update" | "tool_execution_update" | "agent_end" }>
  /** A tool is at work. */
  | { type: "tool_execution_update"; toolCallId: string; toolName: string }
  | { type: "message_update"; event: { type: string; contentIndex?: number; delta?: string } }
  | { type: "agent_end"; reason: string; usage: Usage; errorMessage?: string; messages: AgentMessage[] };

/** A line that the server sends. */
export type RpcLine =
  | { type: "ready"; version: number; model: string; workspace: string }
  | RpcResponse
  | { type: "event"; event: RpcEvent }
  /** A tool call that waits for the person. Answer with `permission_answer`. */
  | {
      type: "permission_question";
      questionId: string;
      tool: string;
      args: Record<string, unknown>;
      reason: string;
      /** The rules that together would allow this call and little else; empty if there can be none. */
      suggestions: string[];
    };
