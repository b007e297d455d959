// Keys in one file that only its owner can read. Written whole under another name and then renamed, with a lock, so that a reader always
// sees a complete file and of two writers neither loses what the other wrote. Never prints and never puts a key into an error.
import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { CredentialReader } from "../auth.ts";
import { withFileLock } from "./file-lock.ts";

const OWNER_ONLY = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;

/** Keys by provider, kept in a file. */
export interface CredentialStore extends CredentialReader {
  get(provider: string): Promise<string | undefined>;
  /** Keeps a key; it replaces an earlier one. */
  set(provider: string, key: string): Promise<void>;
  /** Forgets a key. Resolves with whether there was one. */
  delete(provider: string): Promise<boolean>;
  /** The providers for which there is a key. */
  list(): Promise<string[]>;
}

interface CredentialFile {
  version: 1;
  keys: Record<string, string>;
}

/**
 * A store in the file at `path`, which is made with its folder at the first `set`. Each call reads the file anew. All methods reject, with
 * the path and never with a key, if the file cannot be read or is damaged; a damaged file is never overwritten.
 */
export function createCredentialStore(path: string): CredentialStore {
  const change = async <T>(edit: (keys: Map<string, string>) => T): Promise<T> => {
    await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    return withFileLock(path, async () => {
      const keys = await readKeys(path);
      const result = edit(keys);
      await writeKeys(path, keys);
      return result;
    });
  };
  return {
    get: async (provider) => (await readKeys(path)).get(provider),
    set: async (provider, key) => {
      const trimmed = key.trim();
      if (trimmed === "") throw new Error(`The key for ${provider} is empty.`);
      await change((keys) => keys.set(provider, trimmed));
    },
    delete: async (provider) => {
      if (!(await readKeys(path)).has(provider)) return false;
      return change((keys) => keys.delete(provider));
    },
    list: async () => [...(await readKeys(path)).keys()].sort(),
  };
}

async function readKeys(path: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
  let content: Partial<CredentialFile> | null;
  try {
    content = JSON.parse(text) as Partial<CredentialFile> | null;
  } catch {
    // The parser's own message quotes the text, and with it perhaps a key.
    throw new Error(`The credential file ${path} is not valid JSON. Correct it or delete it.`);
  }
  if (content?.version !== 1 || typeof content.keys !== "object" || content.keys === null) {
    throw new Error(`The credential file ${path} has a form that this version does not know.`);
  }
  return new Map(Object.entries(content.keys).filter(([, key]) => typeof key === "string"));
}

async function writeKeys(path: string, keys: ReadonlyMap<string, string>): Promise<void> {
  const content: CredentialFile = { version: 1, keys: Object.fromEntries(keys) };
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", OWNER_ONLY);
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      // On the disk before it takes the place of the old one, so that a crash leaves one of the two.
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, OWNER_ONLY);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
