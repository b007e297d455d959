// Recorded model calls as plain JSON, to be kept in a file beside the tests that play them.
import type { AssistantMessage, AssistantMessageEvent } from "../types.ts";
import type { RequestMeaning } from "./request-meaning.ts";

/** An event of a recording: without the live message, which playing it builds anew. */
export type RecordedEvent = Omit<Exclude<AssistantMessageEvent, { type: "start" | "done" | "error" }>, "partial">;

/** One call and its answer. */
export interface Recording {
  /** Short name of the request's meaning. */
  key: string;
  request: RequestMeaning;
  events: RecordedEvent[];
  /** The final message. */
  message: AssistantMessage;
}

/** Recorded calls, in the order in which they ended. Plain JSON without keys. */
export interface Cassette {
  version: 1;
  recordings: Recording[];
}

/** An empty cassette. */
export function createCassette(): Cassette {
  return { version: 1, recordings: [] };
}

/** Reads a cassette from a file. Throws an error that names the file if it is none. */
export async function readCassette(path: string): Promise<Cassette> {
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(path, "utf8");
  let cassette: unknown;
  try {
    cassette = JSON.parse(text);
  } catch (cause) {
    throw new Error(`The cassette ${path} is not JSON.`, { cause });
  }
  const { version, recordings } = (cassette ?? {}) as Partial<Cassette>;
  if (version !== 1 || !Array.isArray(recordings)) throw new Error(`The file ${path} is no cassette of version 1.`);
  return cassette as Cassette;
}

/** Writes a cassette to a file, whole or not at all: to a file beside it, which then takes its place. */
export async function writeCassette(path: string, cassette: Cassette): Promise<void> {
  const { rename, rm, writeFile } = await import("node:fs/promises");
  const draft = `${path}.${globalThis.crypto.randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(cassette, null, 2)}\n`);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
