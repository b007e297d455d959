// Reads a line as a request, or says what is wrong with it. Nothing past this point has to doubt a request.
import { THINKING_LEVELS } from "@rondo/ai";
import type { RpcCommand, RpcRequest } from "./protocol.ts";

/** How a field is checked, and what to say that it must be. */
interface Rule {
  isRight(value: unknown): boolean;
  what: string;
}

const SCOPES = ["session", "project"];
const isText = (value: unknown): boolean => typeof value === "string";
const isImage = (value: unknown): boolean => {
  const image = value as { type?: unknown; data?: unknown; mimeType?: unknown } | null;
  return image?.type === "image" && isText(image.data) && isText(image.mimeType);
};
const optional = ({ isRight, what }: Rule): Rule => ({
  isRight: (value) => value === undefined || isRight(value),
  what: `${what}, or left out`,
});
const oneOf = (words: readonly string[]): Rule => ({
  isRight: (value) => words.includes(value as string),
  what: `one of ${words.join(", ")}`,
});

const text: Rule = { isRight: isText, what: "a text" };
const flag: Rule = { isRight: (value) => typeof value === "boolean", what: "true or false" };
const entry: Rule = { isRight: (value) => value === null || isText(value), what: "the id of an entry, or null" };
const images: Rule = {
  isRight: (value) => Array.isArray(value) && value.every(isImage),
  what: 'a list of { "type": "image", "data": …, "mimeType": … }',
};
const seconds: Rule = {
  isRight: (value) => typeof value === "number" && value > 0 && value <= 3600,
  what: "a number of seconds above 0 and at most 3600",
};

/** The fields of each command, and how each is checked. */
const FIELDS: Record<RpcCommand, Record<string, Rule>> = {
  prompt: { message: text, images: optional(images) },
  steer: { message: text },
  follow_up: { message: text },
  abort: {},
  set_model: { model: text },
  set_thinking: { level: oneOf(THINKING_LEVELS) },
  get_state: {},
  get_messages: {},
  new: {},
  list_sessions: {},
  resume: { session: text },
  fork: { entry: optional(text) },
  get_tree: {},
  branch: { entry },
  set_name: { name: text },
  set_label: { entry: text, label: text },
  compact: { instructions: optional(text) },
  bash: { command: text, timeout: optional(seconds) },
  permission_answer: { questionId: text, allow: flag, reason: optional(text), remember: optional(oneOf(SCOPES)) },
};

/** A request that cannot be taken, with as much of its head as could be read. */
export interface BadRequest {
  id: string | null;
  command: string | null;
  error: string;
}

/** Reads one line. */
export function readRequest(line: string): { request: RpcRequest } | BadRequest {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: null, command: null, error: "The line is no JSON." };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { id: null, command: null, error: "The line is no JSON object." };
  const { id, type, ...fields } = value as Record<string, unknown>;
  const command = typeof type === "string" ? type : null;
  if (typeof id !== "string") return { id: null, command, error: "A request needs an id, which is a text." };
  if (command === null || !Object.hasOwn(FIELDS, command))
    return { id, command, error: `There is no command ${command}. Known are ${Object.keys(FIELDS).join(", ")}.` };
  for (const [name, { isRight, what }] of Object.entries(FIELDS[command as RpcCommand]))
    if (!isRight(fields[name])) return { id, command, error: `The field ${name} of ${command} must be ${what}.` };
  return { request: value as RpcRequest };
}
