// The form that a history has while it is prepared: grouped into turns, with calls and their results together, and with
// images that will not be sent marked as such.
import type {
  AssistantMessage,
  ImageContent,
  TextContent,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../types.ts";

/** An image or file that is left out, and why. */
export interface Omission {
  type: "omission";
  noun: "image" | "file";
  reason: string;
}

export type DraftBlock = TextContent | ImageContent | Omission;

/** A user message or tool result: the message that it was made from, and the content that it will have. */
export interface DraftInput<M extends UserMessage | ToolResultMessage> {
  message: M;
  /** Index in the history that was handed in. */
  index: number;
  content: DraftBlock[];
}

/** A call with the id and the name that it will have, and the result that will follow it. */
export interface DraftCall {
  originalId: string;
  call: ToolCall;
  result: DraftInput<ToolResultMessage> | undefined;
}

/** A stretch of history: what a model said, its results, and what people said until the next answer. */
export interface DraftTurn {
  assistant: { message: AssistantMessage; index: number; content: AssistantMessage["content"] } | undefined;
  calls: DraftCall[];
  /** No more results are taken: the model has been asked again since. */
  closed: boolean;
  inputs: DraftInput<UserMessage>[];
}
