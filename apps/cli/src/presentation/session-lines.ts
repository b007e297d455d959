// Sessions, and what was said in one, as lines of a list: columns of one width, and at the end a text whose characters may be of any
// width.
import type { SessionEntry } from "../session/entries.ts";
import { messageText, titleOf } from "../session/message-text.ts";
import type { SessionSummary } from "../session/session-folder.ts";
import { SessionTree } from "../session/session-tree.ts";
import { countOf } from "./count-of.ts";
import { localMinute } from "./local-time.ts";

/** A line of the list in two parts, so that either can have a style of its own. */
export interface SessionLine {
  /** Id, time of the last change and number of messages, with the blanks that follow. */
  columns: string;
  title: string;
}

/** A line for each session. */
export function sessionLines(sessions: SessionSummary[]): SessionLine[] {
  const counts = sessions.map(({ messageCount }) => countOf(messageCount, "message ", "messages"));
  const idWidth = Math.max(...sessions.map(({ id }) => id.length));
  const countWidth = Math.max(...counts.map((count) => count.length));
  return sessions.map(({ id, changedAt, title }, index) => ({
    columns: `${id.padEnd(idWidth)}  ${localMinute(changedAt)}  ${(counts[index] ?? "").padStart(countWidth)}  `,
    title,
  }));
}

/** A line for each thing that the person or the model said on the way to where the conversation is, with the id of its entry. */
export function entryLines(entries: SessionEntry[]): SessionLine[] {
  return new SessionTree(entries).path().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role === "toolResult") return [];
    const title = titleOf(messageText(entry.message));
    const speaker = entry.message.role === "user" ? "you  " : "model";
    return title === "" ? [] : [{ columns: `  ${entry.id}  ${speaker}  `, title }];
  });
}
