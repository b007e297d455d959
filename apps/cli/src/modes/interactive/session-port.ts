// What interactive mode wants of a session, so that it does not know how sessions are kept.
import type { Agent, AgentMessage } from "@rondo/agent";
import type { Rule } from "../../permissions/rules.ts";
import type { PromptHistory } from "../../session/prompt-history.ts";
import type { UsageTotals } from "../../session/usage-totals.ts";

/** A session in a list. */
export interface SessionSummary {
  id: string;
  /** Its name, or how it began. */
  title: string;
  /** Milliseconds since 1970. */
  changedAt: number;
  messageCount: number;
}

/** A place in a conversation to which one can go back: something that the person said. */
export interface TreeEntry {
  id: string;
  text: string;
  /** 0 for the first line of talk, 1 for what branches off it. */
  depth: number;
  /** Whether it belongs to the conversation as it is now. */
  isCurrent: boolean;
}

/** The session that is on the screen. */
export interface SessionPort {
  readonly agent: Agent;
  /** Absolute path of the workspace. */
  readonly root: string;
  /** The permission rules in force. */
  readonly rules: readonly Rule[];
  readonly name: string | undefined;
  /** What the session that is on the screen has used, all its branches and what was before it was taken up again included. */
  readonly usage: UsageTotals;
  /** The estimated size of what the model would read now. */
  contextTokens(): number;
  /** What the person sent in all sessions of this workspace. */
  readonly prompts: Pick<PromptHistory, "read" | "add">;
  rename(name: string): Promise<void>;
  /** Tells what happens to the conversation besides what is said: notes in the place of old messages, another model. */
  onNotice(hear: (text: string) => void): void;
  /** Begins another conversation. */
  startNew(): Promise<void>;
  /** The places to go back to, oldest first. */
  tree(): Promise<TreeEntry[]>;
  /** Goes back to before something was said. Resolves with its text, to be said otherwise. */
  goBack(id: string): Promise<string>;
  /** Other sessions of this workspace, newest first. */
  list(): Promise<SessionSummary[]>;
  open(id: string): Promise<void>;
  /** Goes on in a new session that shares the past of this one. */
  fork(): Promise<void>;
  /** Puts notes in the place of what was said long ago. Resolves with what to tell the person. */
  compact(instructions: string, signal: AbortSignal): Promise<string>;
  /** Messages of this session, for the screen. */
  readonly messages: AgentMessage[];
}
