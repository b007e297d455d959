// What the preparation of a history changed, for programs and for people.
import type { Diagnostic } from "../types.ts";

/** Why something was changed. */
export type TranscriptChangeCode =
  | "message_invalid"
  | "block_invalid"
  | "turn_empty"
  | "blank_text"
  | "text_repaired"
  | "text_moved"
  | "thinking_foreign"
  | "thinking_unfinished"
  | "signature_foreign"
  | "call_unfinished"
  | "call_malformed"
  | "call_id_renamed"
  | "result_missing"
  | "result_moved"
  | "result_orphaned"
  | "result_duplicate"
  | "image_replaced"
  | "image_type_corrected"
  | "turn_bridged";

/** One change. */
export interface TranscriptChange {
  code: TranscriptChangeCode;
  action: "rewritten" | "dropped" | "added";
  /** Index of the message in the history that was handed in. */
  messageIndex: number;
  /** What happened, for a person. */
  message: string;
}

/** What became of a history. */
export interface TranscriptReport {
  /** Messages that went through unchanged. */
  kept: number;
  /** Messages that went through changed. */
  rewritten: number;
  /** Messages that were left out. */
  dropped: number;
  /** Messages that were not in the history. */
  added: number;
  changes: TranscriptChange[];
}

/** Takes note of one change to the message that is being worked on. */
export type Note = (code: TranscriptChangeCode, action: TranscriptChange["action"], message: string) => void;

/** The changes that a person should hear of without asking, and the codes of their diagnostics. */
const TOLD: Partial<Record<TranscriptChangeCode, string>> = {
  image_replaced: "image_replaced",
  message_invalid: "message_left_out",
};

/** What a person should hear of: images, files and whole messages that the model will not see, each reason once. */
export function transcriptDiagnostics({ changes }: TranscriptReport): Diagnostic[] {
  const told = new Map<string, { code: string; count: number }>();
  for (const { code: change, message } of changes) {
    const code = TOLD[change];
    if (code !== undefined) told.set(message, { code, count: (told.get(message)?.count ?? 0) + 1 });
  }
  return [...told].map(([message, { code, count }]) => {
    return { code, message: count === 1 ? message : `${message} (${count} times)` };
  });
}
