// The sessions of one workspace: begins, finds, opens and copies them. Where they lie is session-folder.ts's business.
import { randomBytes } from "node:crypto";
import { UsageError } from "../exit-codes.ts";
import { localTime } from "../presentation/local-time.ts";
import { sessionLines } from "../presentation/session-lines.ts";
import { SESSION_VERSION, type SessionHeader } from "./entries.ts";
import { PromptHistory } from "./prompt-history.ts";
import { readSessionFile, SessionFile } from "./session-file.ts";
import {
  lastSessionFile,
  listSessions,
  matchingSessions,
  type SessionSummary,
  sessionById,
  sessionPath,
} from "./session-folder.ts";
import { MemoryStore, type SessionStore } from "./session-store.ts";
import { SessionTree } from "./session-tree.ts";

const SESSIONS_SHOWN_MAX = 8;

/** The sessions of a workspace. */
export class SessionShelf {
  readonly #folder: string;
  readonly #workspace: string;
  readonly #keeps: boolean;
  /** What the person sent in all of them. */
  readonly prompts: PromptHistory;

  /** @param keeps whether new sessions are written into files */
  constructor(folder: string, workspace: string, keeps: boolean) {
    this.#folder = folder;
    this.#workspace = workspace;
    this.#keeps = keeps;
    this.prompts = new PromptHistory(folder, keeps);
  }

  /** A session in which nothing has been said. */
  begin(): SessionStore {
    const header = this.#header();
    return this.#keeps ? SessionFile.begin(sessionPath(this.#folder, header.id), header) : new MemoryStore(header);
  }

  /** The sessions that are kept, the one that was changed last first. */
  list(): SessionSummary[] {
    return listSessions(this.#folder);
  }

  /** The file of the session that was changed last. */
  lastPath(): string | undefined {
    return lastSessionFile(this.#folder);
  }

  /** Opens the session that was changed last. */
  openLast(): SessionStore {
    const path = this.lastPath();
    if (path === undefined)
      throw new UsageError("There is no session of this folder yet, so there is none to go on with.");
    return this.openFile(path);
  }

  /** Opens the session that a text means: an id, the end of one, or a part of a title. */
  open(text: string, advice = ""): SessionStore {
    return this.openFile(this.find(text, advice).path);
  }

  /** Opens a file, or begins it if there is none. */
  openFile(path: string): SessionStore {
    return SessionFile.open(path, this.#header());
  }

  /**
   * The session that a text means. Throws a `UsageError` that lists what it may mean if it is not one.
   *
   * @param advice what to say to somebody who may have meant something else by the text
   */
  find(text: string, advice = ""): SessionSummary {
    const named = sessionById(this.#folder, text);
    if (named) return named;
    const sessions = this.list();
    const matches = matchingSessions(sessions, text);
    const [only] = matches;
    if (only && matches.length === 1) return only;
    if (sessions.length === 0) throw new UsageError("There is no session of this folder yet.");
    const what =
      matches.length > 0
        ? `Several sessions fit "${text}":`
        : `No session of this folder fits "${text}".${advice} There are:`;
    throw new UsageError(`${what}\n${listed(matches.length > 0 ? matches : sessions)}`);
  }

  /** Reads a session and begins a copy of it, up to an entry (the end or the beginning of its id is enough) or whole. */
  fork(path: string, entry: string | undefined): SessionStore {
    const { header, entries } = readSessionFile(path);
    const tree = new SessionTree(entries);
    return this.copy(header?.id ?? path, tree, entry === undefined ? tree.leafId : findEntry(tree, entry));
  }

  /** Begins a copy of what led to an entry. It is written at once. */
  copy(session: string, tree: SessionTree, entry: string | null): SessionStore {
    const header = { ...this.#header(), parent: { session, entry } };
    const store = this.#keeps
      ? SessionFile.begin(sessionPath(this.#folder, header.id), header)
      : new MemoryStore(header);
    const path = tree.path(entry);
    if (path.length > 0) store.append(...path);
    return store;
  }

  #header(): SessionHeader {
    const createdAt = Date.now();
    const id = `${localTime(createdAt).replace(/[-:]/g, "").replace(" ", "-")}-${randomBytes(3).toString("hex")}`;
    return { type: "session", version: SESSION_VERSION, id, createdAt, workspace: this.#workspace };
  }
}

function listed(sessions: SessionSummary[]): string {
  const lines = sessionLines(sessions.slice(0, SESSIONS_SHOWN_MAX)).map(({ columns, title }) => `  ${columns}${title}`);
  const left = sessions.length - lines.length;
  return [...lines, ...(left > 0 ? [`  … and ${left} more: rondo sessions lists them all.`] : [])].join("\n");
}

function findEntry(tree: SessionTree, text: string): string {
  const matches = tree.entries.filter(({ id }) => id.startsWith(text));
  const [only] = matches;
  if (!only || matches.length > 1)
    throw new UsageError(
      `${matches.length === 0 ? "No entry" : "More than one entry"} of the session begins with ${text}.`,
    );
  return only.id;
}
