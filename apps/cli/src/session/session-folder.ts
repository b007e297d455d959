// Where the sessions of a workspace lie, and which there are. Reads only what a list needs: a session of many megabytes is
// looked through, not parsed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionEntry, SessionHeader } from "./entries.ts";
import { messageText, titleOf, writtenText } from "./message-text.ts";
import { readSession } from "./read-session.ts";

/** A session in a list. */
export interface SessionSummary {
  id: string;
  path: string;
  /** Its name, or how it began; of a copy, how it went on. */
  title: string;
  /** Milliseconds since 1970. */
  changedAt: number;
  messageCount: number;
}

const ENDING = ".jsonl";
const IDLE_BYTES_MAX = 1_000_000;

/** The folder for the sessions of a workspace: readable, and different for every path. */
export function sessionFolder(dataFolder: string, workspace: string): string {
  const hash = createHash("sha256").update(workspace).digest("hex").slice(0, 12);
  const name =
    basename(workspace)
      .replace(/[^\w.-]+/g, "_")
      .slice(0, 40) || "root";
  return join(dataFolder, "sessions", `${name}-${hash}`);
}

/** The file of a session. */
export function sessionPath(folder: string, id: string): string {
  return join(folder, `${id}${ENDING}`);
}

/** The sessions in a folder, the one that was changed last first. Left out are files that cannot be read, and idle sessions. */
export function listSessions(folder: string): SessionSummary[] {
  return sessionFiles(folder)
    .map(summarize)
    .filter((summary) => summary !== undefined);
}

/** The file of the session that was changed last and is not idle. A long one is not looked into. */
export function lastSessionFile(folder: string): string | undefined {
  return sessionFiles(folder).find((file) => !isIdleFile(file))?.path;
}

function isIdleFile({ path, size }: FileState): boolean {
  try {
    return size <= IDLE_BYTES_MAX && isIdle(readFileSync(path));
  } catch {
    // Whoever opens it says what is wrong with it.
    return false;
  }
}

/** In an idle session no model was ever asked, for want of a key: nobody wants to go on with it. */
function isIdle(bytes: Buffer): boolean {
  if (bytes.length > IDLE_BYTES_MAX || !bytes.includes('"code":"missing_key"')) return false;
  const answers = readSession(bytes).entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [],
  );
  return answers.length > 0 && answers.every(({ error }) => error?.code === "missing_key");
}

interface FileState {
  path: string;
  size: number;
  changedAt: number;
}

function sessionFiles(folder: string): FileState[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(ENDING))
    .map((name) => join(folder, name))
    .map((path) => {
      const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return { path, size, changedAt: mtimeMs };
    })
    .sort((one, other) => other.changedAt - one.changedAt || other.path.localeCompare(one.path));
}

/** The one session whose id is a text or ends with it, without a look into the others; undefined if it is none or several. */
export function sessionById(folder: string, text: string): SessionSummary | undefined {
  const [file, ...others] = sessionFiles(folder).filter(({ path }) => isIdOf(basename(path, ENDING), text));
  return file && others.length === 0 ? summarize(file) : undefined;
}

function isIdOf(id: string, text: string): boolean {
  return id === text || id.endsWith(`-${text}`);
}

/** The sessions that a text may mean: an id or the end of one, else a part of a title. */
export function matchingSessions(sessions: SessionSummary[], text: string): SessionSummary[] {
  const byId = sessions.filter(({ id }) => isIdOf(id, text));
  if (byId.length > 0) return byId;
  return sessions.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
}

function summarize({ path, changedAt }: FileState): SessionSummary | undefined {
  try {
    const bytes = readFileSync(path);
    if (isIdle(bytes)) return undefined;
    const header = parse<SessionHeader>(lineAt(bytes, 0));
    const id = header?.id ?? basename(path, ENDING);
    const nameAt = bytes.lastIndexOf('\n{"type":"name"');
    const name = nameAt === -1 ? undefined : parse<{ name?: string }>(lineAt(bytes, nameAt + 1))?.name;
    const title = titleOf(name || wordsAfter(bytes, copied(bytes, header)) || wordsAfter(bytes, 0));
    return { id, path, title, changedAt, messageCount: countMessages(bytes) };
  } catch {
    return undefined;
  }
}

function countMessages(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf('\n{"type":"message"'); at !== -1; at = bytes.indexOf('\n{"type":"message"', at + 1))
    count++;
  return count;
}

/** Where in a copy the copied part ends; 0 if it is none. */
function copied(bytes: Buffer, header: SessionHeader | undefined): number {
  const entry = header?.parent?.entry;
  return entry ? Math.max(0, bytes.indexOf(`"id":"${entry}"`)) : 0;
}

/** What the person said first after a place in the file. */
function wordsAfter(bytes: Buffer, start: number): string {
  for (
    let at = bytes.indexOf('\n{"type":"message"', start);
    at !== -1;
    at = bytes.indexOf('\n{"type":"message"', at + 1)
  ) {
    const entry = parse<SessionEntry>(lineAt(bytes, at + 1));
    if (entry?.type === "message" && entry.message.role === "user") return writtenText(messageText(entry.message));
  }
  return "";
}

function lineAt(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0x0a, start);
  return bytes.toString("utf8", start, end === -1 ? bytes.length : end);
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
