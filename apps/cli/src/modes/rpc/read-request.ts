// Reads a line as a request, or says what is wrong with it. Nothing past this point has to doubt a request.
import type { RpcCommand, RpcRequest } from "./protocol.ts";

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isOptionalText: Check = (value) => value === undefined || isText(value);
const isFlag: Check = (value) => typeof value === "boolean";
const isLevel: Check = (value) => ["off", "minimal", "low", "medium", "high", "xhigh", "max"].includes(value as string);
const isImage: Check = (value) => {
  const image = value as { type?: unknown; data?: unknown; mimeType?: unknown } | null;
  return image?.type === "image" && isText(image.data) && isText(image.mimeType);
};
const areImages: Check = (value) => value === undefined || (Array.isArray(value) && value.every(isImage));

const isScope: Check = (value) => value === undefined || value === "session" || value === "project";
const isOptionalTime: Check = (value) =>
  value === undefined || (typeof value === "number" && value > 0 && value <= 3600);

/** The fields of each command, and how each is checked. */
const FIELDS: Record<RpcCommand, Record<string, Check>> = {
  prompt: { message: isText, images: areImages },
  steer: { message: isText },
  follow_up: { message: isText },
  abort: {},
  set_model: { model: isText },
  set_thinking: { level: isLevel },
  get_state: {},
  get_messages: {},
  new: {},
  list_sessions: {},
  resume: { session: isText },
  fork: { entry: isOptionalText },
  get_tree: {},
  branch: { entry: (value) => value === null || isText(value) },
  set_name: { name: isText },
  set_label: { entry: isText, label: isText },
  compact: { instructions: isOptionalText },
  bash: { command: isText, timeout: isOptionalTime },
  permission_answer: { questionId: isText, allow: isFlag, reason: isOptionalText, remember: isScope },
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
  for (const [name, isRight] of Object.entries(FIELDS[command as RpcCommand]))
    if (!isRight(fields[name]))
      return { id, command, error: `The field ${name} of ${command} is missing or not what it should be.` };
  return { request: value as RpcRequest };
}
