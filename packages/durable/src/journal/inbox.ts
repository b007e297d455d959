// The mailbox of a run as a file that any process may add to: messages and requests to abort. A reader keeps its place as
// a byte offset. Lines that a dying sender left torn are skipped, since that sender was never told that they were in.
import type { MailboxMessage } from "../types.ts";
import { appendLine, readLines } from "./json-lines.ts";

type InboxEntry = MailboxMessage | { kind: "abort"; reason: string };

/** What is in the inbox beyond an offset. */
export interface InboxContent {
  messages: MailboxMessage[];
  abortReason?: string;
  cursor: number;
}

export async function putIntoInbox(path: string, entry: InboxEntry): Promise<void> {
  await appendLine(path, entry);
}

export async function readInbox(path: string, cursor: number): Promise<InboxContent> {
  const { lines, end } = await readLines(path, cursor);
  const content: InboxContent = { messages: [], cursor: end };
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry?.kind === "abort") content.abortReason ??= entry.reason;
    else if (entry) content.messages.push(entry);
  }
  return content;
}

function parseEntry(line: string): InboxEntry | undefined {
  if (line === "") return undefined;
  try {
    return JSON.parse(line) as InboxEntry;
  } catch {
    return undefined;
  }
}
