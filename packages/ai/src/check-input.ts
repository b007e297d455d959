// What callers hand in, checked once at the border, so that nothing behind it has to. Callers without types hand in anything: each
// fault is named with the place where it is. Knows nothing of providers, keys or wires.
import { detailsOf } from "./error-kinds.ts";
import { ModelError } from "./errors.ts";
import { THINKING_LEVELS } from "./thinking-levels.ts";
import { isObject } from "./tools/json-values.ts";
import type { Context, Model, SimpleStreamOptions } from "./types.ts";

const bad = (message: string, code: string): ModelError =>
  new ModelError(message, detailsOf("invalid_request", { code }));

const BLANK_MODEL: Model = {
  id: "unknown",
  name: "unknown",
  api: "unknown",
  provider: "unknown",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: {},
};

/** The model with every field that it must have, for naming in messages and for use once `checkModel` has passed. Never throws. */
export function completeModel(model: unknown): Model {
  try {
    if (!isObject(model)) return BLANK_MODEL;
    const given = model as unknown as Model;
    const text = (value: unknown, fallback: string): string => (typeof value === "string" && value ? value : fallback);
    return {
      ...given,
      id: text(given.id, BLANK_MODEL.id),
      name: text(given.name, text(given.id, BLANK_MODEL.name)),
      api: text(given.api, BLANK_MODEL.api),
      provider: text(given.provider, BLANK_MODEL.provider),
      input: Array.isArray(given.input) ? given.input : BLANK_MODEL.input,
      cost: isObject(given.cost) ? given.cost : BLANK_MODEL.cost,
    };
  } catch {
    return BLANK_MODEL;
  }
}

/** Whether it is what agents have for a model as long as they were given none. */
const isBlank = ({ id, api, provider, baseUrl }: Record<string, unknown>): boolean =>
  id === BLANK_MODEL.id && api === BLANK_MODEL.api && provider === BLANK_MODEL.provider && baseUrl === "";

/** Throws unless a model names itself, its protocol, its provider and its address. */
export function checkModel(model: unknown): void {
  const fields = isObject(model) ? model : {};
  if (isBlank(fields))
    throw bad(
      "No model was given. Take one from getModel(); an agent gets it as initialState.model, or in state.model.",
      "bad_model",
    );
  const missing = ["id", "api", "provider", "baseUrl"].filter((name) => typeof fields[name] !== "string");
  if (missing.length === 0 && fields["id"] !== "") return;
  throw bad(
    `The model is not a model: it needs the texts id, api, provider and baseUrl${missing.length > 0 && missing.length < 4 ? `, and ${missing.join(" and ")} is missing` : ""}. Take one from getModel().`,
    "bad_model",
  );
}

/** Throws unless there is an array of messages, and tools that have a name and a schema. */
export function checkContext(context: Context): void {
  if (!isObject(context) || !Array.isArray(context.messages)) {
    throw bad("The context has no messages: it must be an object with a `messages` array.", "bad_context");
  }
  const { systemPrompt, tools } = context as { systemPrompt?: unknown; tools?: unknown };
  if (systemPrompt !== undefined && systemPrompt !== null && typeof systemPrompt !== "string") {
    throw bad("The context's systemPrompt is not a string.", "bad_context");
  }
  if (tools === undefined || tools === null) return;
  if (!Array.isArray(tools)) throw bad("The context's tools are not an array.", "bad_context");
  tools.forEach((tool: unknown, index) => {
    if (!isObject(tool) || typeof tool["name"] !== "string" || tool["name"] === "")
      throw bad(`Tool number ${index + 1} has no name.`, "bad_tool");
    // Servers of tools say "no parameters" in all these ways, and a schema may be true or false.
    const { parameters = true } = tool;
    if (parameters !== null && typeof parameters !== "boolean" && !isObject(parameters))
      throw bad(`The parameters of the tool ${tool["name"]} are no JSON Schema object.`, "bad_tool");
  });
}

const isFunction = (value: unknown): boolean => typeof value === "function";
const isCount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isText = (value: unknown): boolean => typeof value === "string";
const isSignal = (value: unknown): boolean =>
  isObject(value) && typeof value["aborted"] === "boolean" && isFunction(value["addEventListener"]);
const oneOf =
  (...words: string[]) =>
  (value: unknown): boolean =>
    words.includes(value as string);

/** What each option must be, and how to say so. */
const OPTION_RULES: readonly [readonly (keyof SimpleStreamOptions)[], (value: unknown) => boolean, string][] = [
  [
    ["temperature", "maxTokens", "firstByteTimeoutMs", "idleTimeoutMs", "totalTimeoutMs"],
    isCount,
    "a number of at least 0",
  ],
  [["apiKey", "sessionId"], isText, "a string"],
  [["headers", "metadata", "extraBody", "env", "thinkingBudgets"], isObject, "an object"],
  [
    ["responseSchema"],
    (value) => isObject(value) && isObject(value["schema"]),
    "an object { schema } that holds the JSON Schema",
  ],
  [["onPayload", "onResponse", "onFrame", "fetch"], isFunction, "a function"],
  [["signal"], isSignal, "an AbortSignal"],
  [["parallelToolCalls"], (value) => typeof value === "boolean", "true or false"],
  [["stopSequences"], (value) => Array.isArray(value) && value.every(isText), "an array of strings"],
  [["cacheRetention"], oneOf("none", "short", "long"), "none, short or long"],
  [["reasoning"], oneOf(...THINKING_LEVELS), `one of ${THINKING_LEVELS.join(", ")}`],
  [
    ["toolChoice"],
    (value) => oneOf("auto", "none", "required")(value) || (isObject(value) && isText(value["name"])),
    'auto, none, required or { name: "…" }',
  ],
];

/** The options, or none for undefined and null. Throws for one that is of the wrong kind; undefined and null ones count as absent. */
export function checkOptions(options: SimpleStreamOptions | undefined): SimpleStreamOptions {
  if (options === undefined || options === null) return {};
  if (!isObject(options)) throw bad("The options are not an object.", "bad_option");
  for (const [names, isValid, what] of OPTION_RULES) {
    for (const name of names) {
      const value: unknown = options[name];
      if (value === undefined || value === null || isValid(value)) continue;
      throw bad(`options.${name} must be ${what}, not ${shown(value)}.`, "bad_option");
    }
  }
  return options;
}

/** Numbers as they are; of anything else only the kind, since it may be a key. */
const shown = (value: unknown): string =>
  typeof value === "number" ? String(value) : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
