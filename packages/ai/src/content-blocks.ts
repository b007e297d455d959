// The blocks of a message while they are being received, as decoders write to them.

/** An open text block. */
export interface TextBlock {
  append(delta: string): void;
  sign(signature: string): void;
  end(): void;
}

/** An open thinking block. */
export interface ThinkingBlock {
  append(delta: string): void;
  /** Sets the signature, or with `add` appends to it. */
  sign(signature: string, add?: "add"): void;
  end(): void;
}

/** An open tool call. Its id and name may come late; they are settled when it ends. */
export interface ToolCallBlock {
  /** Takes the first non-empty id and name that come. */
  identify(id: string | undefined, name: string | undefined): void;
  /** The id as the provider first sent it. */
  readonly id: string;
  readonly name: string;
  /** Raw argument text so far. */
  readonly raw: string;
  append(delta: string): void;
  sign(signature: string): void;
  /**
   * Ends the call. `whole`, if given, has the complete arguments and wins over what was streamed: as text, or as the value itself, which is
   * the message's from then on.
   */
  end(whole?: unknown): void;
}

/** Whether there is a text to add. Throws for what is no text: the frame that it came in is damaged. */
export function isDelta(value: string | undefined): value is string {
  if (value === undefined || value === null || value === "") return false;
  if (typeof value === "string") return true;
  throw new TypeError(`A text was expected and a ${typeof value} came.`);
}
