// The records of one run, in one file: `open` each time it is taken up, `step` for what was done, `carry` where a new
// segment begins, which makes the steps before it history, `letGo` where a worker was closed. The caller holds the run's lock.
import { NondeterminismError, SuspendedError } from "../errors.ts";
import type { Carry } from "../run-segment.ts";
import type { MailboxMessage } from "../types.ts";
import type { InboxContent } from "./inbox.ts";
import { LineWriter, readLines, repairTail } from "./json-lines.ts";

type Entry =
  | { open: number; version: string }
  | { letGo: number }
  | { step: string; value: unknown }
  | { mail: string; messages: MailboxMessage[]; cursor: number }
  | { carry: Carry };

export class Journal {
  /** How often the run was taken up, this time included. */
  readonly attempt: number;
  /** How often in a row it was taken up and neither let go of nor given a new record, this time included. */
  readonly fruitless: number;
  /** The version of the code that began the run. */
  readonly version: string;
  readonly #runId: string;
  readonly #writer: LineWriter;
  /** How far the inbox has been read, for good. */
  #inboxCursor: number;
  #segment: number;
  #carry: Carry | undefined;
  #recorded: Map<string, unknown>;
  #used = new Set<string>();

  private constructor(runId: string, writer: LineWriter, history: History, version: string) {
    this.#runId = runId;
    this.#writer = writer;
    this.attempt = history.attempt + 1;
    this.fruitless = history.fruitless + 1;
    this.version = history.version ?? version;
    this.#inboxCursor = history.inboxCursor;
    this.#segment = history.segment;
    this.#carry = history.carry;
    this.#recorded = history.recorded;
  }

  /** Reads the records, cuts a torn last one off, and records that the run is taken up, unless another version began it. */
  static async open(runId: string, path: string, version: string): Promise<Journal> {
    const { lines, end } = await readLines(path);
    const history = readHistory(lines);
    await repairTail(path, end);
    const journal = new Journal(runId, await LineWriter.open(path, true), history, version);
    if (journal.version === version) await journal.#append({ open: journal.attempt, version });
    return journal;
  }

  get segment(): number {
    return this.#segment;
  }

  get carry(): Carry | undefined {
    return this.#carry;
  }

  /** The recorded value, or that of the work, which is on the disk before this resolves. */
  async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#use(name);
    if (this.#recorded.has(name)) return this.#recorded.get(name) as T;
    const value = await work();
    await this.#append({ step: name, value });
    return value;
  }

  /** The recorded messages, or what `read` finds beyond the last ones. */
  async mail(name: string, read: (cursor: number) => Promise<InboxContent>): Promise<MailboxMessage[]> {
    this.#use(name);
    if (this.#recorded.has(name)) return this.#recorded.get(name) as MailboxMessage[];
    const { messages, cursor } = await read(this.#inboxCursor);
    await this.#append({ mail: name, messages, cursor });
    this.#inboxCursor = cursor;
    return messages;
  }

  async beginSegment(carry: Carry): Promise<void> {
    await this.#append({ carry });
    this.#segment++;
    this.#carry = carry;
    this.#recorded = new Map();
    this.#used = new Set();
  }

  /** The worker is closed and leaves the run in good order, so that this attempt does not count against it. */
  async letGo(): Promise<void> {
    await this.#append({ letGo: this.attempt });
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #use(name: string): void {
    if (this.#used.has(name)) throw new NondeterminismError(this.#runId, `the step "${name}" was asked for twice`);
    this.#used.add(name);
  }

  /** A disk that takes no more is no reason to give a run up: it waits until it does. */
  async #append(entry: Entry): Promise<void> {
    try {
      await this.#writer.append(entry);
    } catch (cause) {
      throw new SuspendedError(this.#runId, { cause });
    }
  }
}

interface History {
  attempt: number;
  fruitless: number;
  version?: string;
  inboxCursor: number;
  segment: number;
  carry?: Carry;
  recorded: Map<string, unknown>;
}

function readHistory(lines: string[]): History {
  const history: History = { attempt: 0, fruitless: 0, inboxCursor: 0, segment: 1, recorded: new Map() };
  for (const [index, line] of lines.entries()) addEntry(history, parseEntry(line, index + 1));
  return history;
}

function addEntry(history: History, entry: Entry): void {
  if ("open" in entry) {
    history.attempt = entry.open;
    history.version ??= entry.version;
    history.fruitless++;
    return;
  }
  if ("letGo" in entry) {
    history.fruitless = Math.max(0, history.fruitless - 1);
    return;
  }
  history.fruitless = 0;
  if ("step" in entry) {
    history.recorded.set(entry.step, entry.value);
  } else if ("mail" in entry) {
    history.recorded.set(entry.mail, entry.messages);
    history.inboxCursor = entry.cursor;
  } else {
    history.segment++;
    history.carry = entry.carry;
    history.recorded = new Map();
  }
}

function parseEntry(line: string, number: number): Entry {
  try {
    return JSON.parse(line) as Entry;
  } catch (cause) {
    throw new Error(`Line ${number} of its journal is damaged.`, { cause });
  }
}
