// Bytes of a session file → header, entries, and what could not be read. A bad line costs itself and nothing else: what came
// after it is attached to what came before. Pure.
import { SESSION_VERSION, type SessionEntry, type SessionHeader } from "./entries.ts";

const NEWLINE = 0x0a;

/** A line that was left out. */
export interface LineProblem {
  /** From 1. */
  line: number;
  problem: string;
  /** Where its bytes begin and end, the line feed included. */
  start: number;
  end: number;
}

/** All that a file holds. */
export interface SessionContent {
  /** Absent if its line is lost. */
  header: SessionHeader | undefined;
  entries: SessionEntry[];
  problems: LineProblem[];
}

/** Reads a whole file. */
export function readSession(bytes: Buffer): SessionContent {
  const content: SessionContent = { header: undefined, entries: [], problems: [] };
  const ids = new Set<string>();
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    line++;
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    const problem = takeLine(bytes.toString("utf8", start, newline === -1 ? end : newline), content, ids);
    if (problem !== undefined) content.problems.push({ line, problem, start, end });
    start = end;
  }
  return content;
}

/** Adds what a line says to the content, or says what is wrong with it. */
function takeLine(text: string, content: SessionContent, ids: Set<string>): string | undefined {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is cut off or no JSON";
  }
  if (!isObject(value)) return "it is no JSON object";
  if (value["type"] === "session") return takeHeader(value, content);
  const problem = entryProblem(value);
  if (problem !== undefined) return problem;
  const entry = value as unknown as SessionEntry;
  if (ids.has(entry.id)) return `there is an entry ${entry.id} already`;
  if (entry.parentId !== null && !ids.has(entry.parentId)) entry.parentId = content.entries.at(-1)?.id ?? null;
  ids.add(entry.id);
  content.entries.push(entry);
  return undefined;
}

function takeHeader(value: Record<string, unknown>, content: SessionContent): string | undefined {
  if (content.header) return "there is a header already";
  const { version, id, createdAt, workspace } = value;
  // Of a newer version nothing else is known.
  if (typeof version === "number" && version > SESSION_VERSION) {
    content.header = value as unknown as SessionHeader;
    return undefined;
  }
  if (
    typeof version !== "number" ||
    typeof id !== "string" ||
    typeof createdAt !== "number" ||
    typeof workspace !== "string"
  )
    return "it is no header";
  content.header = value as unknown as SessionHeader;
  return undefined;
}

function entryProblem(value: Record<string, unknown>): string | undefined {
  const { type, id, parentId, timestamp } = value;
  const isPlaced = typeof id === "string" && id !== "" && typeof timestamp === "number";
  if (!isPlaced || (parentId !== null && typeof parentId !== "string")) return "it is no entry";
  const isRight = Object.hasOwn(CHECKS, String(type)) && CHECKS[type as SessionEntry["type"]](value);
  return isRight ? undefined : `it is no entry of a kind that is known (${String(type)})`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === "string";

const CHECKS: Record<SessionEntry["type"], (entry: Record<string, unknown>) => boolean> = {
  message: ({ message }) => isObject(message) && isMessage(message),
  model: ({ provider, model }) => isText(provider) && isText(model),
  thinking: ({ level }) => isText(level),
  compaction: ({ record, firstKeptId }) =>
    isObject(record) && isText(record["summary"]) && (firstKeptId === null || isText(firstKeptId)),
  usage: ({ provider, model, usage, purpose }) =>
    isText(provider) && isText(model) && isObject(usage) && isText(purpose),
  name: ({ name }) => isText(name),
  label: ({ entryId, label }) => isText(entryId) && isText(label),
  branch: () => true,
};

/** As much as everything that works with messages relies on. */
function isMessage({ role, content, toolCallId, toolName, usage }: Record<string, unknown>): boolean {
  if (role === "user" && isText(content)) return true;
  if (!Array.isArray(content) || !content.every(isBlock)) return false;
  if (role === "user") return true;
  if (role === "assistant") return isObject(usage);
  return role === "toolResult" && isText(toolCallId) && isText(toolName);
}

function isBlock(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, text, thinking, data, mimeType, id, name, arguments: args } = block;
  if (type === "text") return isText(text);
  if (type === "thinking") return isText(thinking);
  if (type === "image") return isText(data) && isText(mimeType);
  return type === "toolCall" && isText(id) && isText(name) && isObject(args);
}
