// What a session came to, as a list of things said and done: the common ground of all exports. Pure.
import type { AgentMessage } from "@rondo/agent";
import type { ImageContent, TextContent, ToolResultMessage } from "@rondo/ai";
import type { SessionEntry, SessionHeader } from "../entries.ts";
import { titleOf } from "../message-text.ts";
import { SessionTree } from "../session-tree.ts";

const DEFAULT_TITLE = "A session of rondo";

/** A part of what was said. */
export type SpokenPart =
  | { kind: "text" | "thinking"; text: string }
  | { kind: "image"; image: ImageContent }
  | { kind: "call"; name: string; args: Record<string, unknown> }
  | { kind: "result"; name: string; isError: boolean; parts: (TextContent | ImageContent)[] };

/** One person's, model's or tool's turn, or what happened between them. */
export interface Spoken {
  speaker: "person" | "model" | "tool" | "note";
  /** Who exactly: the model, the tool. */
  name: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  label: string | undefined;
  parts: SpokenPart[];
}

/** A session for export. */
export interface SpokenSession {
  id: string;
  title: string;
  workspace: string;
  createdAt: number;
  spoken: Spoken[];
}

/** The path to where the conversation is. Other branches are left out. */
export function spokenSession(header: SessionHeader | undefined, entries: SessionEntry[]): SpokenSession {
  const tree = new SessionTree(entries);
  const spoken = tree.path().flatMap((entry) => {
    const parts = spokenEntry(entry);
    return parts ? [{ ...parts, timestamp: entry.timestamp, label: tree.label(entry.id) }] : [];
  });
  return {
    id: header?.id ?? "",
    title: tree.name ?? beginningOf(spoken),
    workspace: header?.workspace ?? "",
    createdAt: header?.createdAt ?? 0,
    spoken,
  };
}

/** A conversation of which there are the messages alone, in the folder that it is about. */
export function spokenConversation(
  messages: AgentMessage[],
  { title, workspace }: { title?: string | undefined; workspace: string },
): SpokenSession {
  const spoken = messages.map((message) => ({
    ...spokenMessage(message),
    timestamp: message.timestamp,
    label: undefined,
  }));
  return { id: "", title: title ?? beginningOf(spoken), workspace, createdAt: spoken[0]?.timestamp ?? 0, spoken };
}

/** What the person said first, as a title. */
function beginningOf(spoken: Spoken[]): string {
  const [said] = spoken.find(({ speaker }) => speaker === "person")?.parts ?? [];
  return said?.kind === "text" ? titleOf(said.text) : DEFAULT_TITLE;
}

function spokenEntry(entry: SessionEntry): Pick<Spoken, "speaker" | "name" | "parts"> | undefined {
  const note = (text: string) => ({ speaker: "note" as const, name: "", parts: [{ kind: "text" as const, text }] });
  switch (entry.type) {
    case "message":
      return spokenMessage(entry.message);
    case "model":
      return note(`Model: ${entry.provider}/${entry.model}`);
    case "compaction":
      return note(
        `From here on the model had these notes in the place of what was said before:\n\n${entry.record.summary}`,
      );
    default:
      return undefined;
  }
}

function spokenMessage(message: AgentMessage): Pick<Spoken, "speaker" | "name" | "parts"> {
  if (message.role === "toolResult") return spokenResult(message);
  const blocks =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  const parts = blocks.flatMap((block): SpokenPart[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ kind: "text", text: block.text }];
    if (block.type === "thinking")
      return block.thinking.trim() === "" ? [] : [{ kind: "thinking", text: block.thinking }];
    if (block.type === "image") return [{ kind: "image", image: block }];
    return [{ kind: "call", name: block.name, args: block.arguments }];
  });
  if (message.role === "user") return { speaker: "person", name: "You", parts };
  if (message.errorMessage !== undefined) parts.push({ kind: "text", text: `(${message.errorMessage})` });
  return { speaker: "model", name: message.model, parts };
}

function spokenResult({ toolName, isError, content }: ToolResultMessage): Pick<Spoken, "speaker" | "name" | "parts"> {
  return { speaker: "tool", name: toolName, parts: [{ kind: "result", name: toolName, isError, parts: content }] };
}
