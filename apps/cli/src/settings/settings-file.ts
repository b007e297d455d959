// The person's settings.json. A mistake in it is told with the place and ends the command: a permission rule that is silently
// left out would be worse. Files of a project are not read, since a folder that was only cloned must not decide anything.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ThinkingLevel } from "@rondo/ai";
import { UsageError } from "../exit-codes.ts";

/** What may stand in the file. Flags win over it; its rules are added to those of the flags. */
export interface FileSettings {
  /** As for `--model`. */
  model?: string;
  thinking?: ThinkingLevel;
  allow?: string[];
  ask?: string[];
  deny?: string[];
}

const isText = (value: unknown) => typeof value === "string";
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const LEVELS: unknown[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
const FIELDS: Record<keyof FileSettings, { isRight: (value: unknown) => boolean; wanted: string }> = {
  model: { isRight: isText, wanted: "a text" },
  thinking: { isRight: (value) => LEVELS.includes(value), wanted: `one of ${LEVELS.join(", ")}` },
  allow: { isRight: areTexts, wanted: "a list of rules" },
  ask: { isRight: areTexts, wanted: "a list of rules" },
  deny: { isRight: areTexts, wanted: "a list of rules" },
};

/** Reads settings.json in a folder; empty if there is none. Rejects with a `UsageError` that names the file and the mistake. */
export async function readFileSettings(folder: string): Promise<FileSettings> {
  const path = join(folder, "settings.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    throw new UsageError(`${path} cannot be read (${code}).`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw new UsageError(`${path} should hold an object.`);
  for (const [name, value] of Object.entries(content)) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof FileSettings] : undefined;
    if (!field)
      throw new UsageError(`${path} has a field ${name}, but there are only ${Object.keys(FIELDS).join(", ")}.`);
    if (!field.isRight(value)) throw new UsageError(`${path}: ${name} should be ${field.wanted}.`);
  }
  return content as FileSettings;
}
