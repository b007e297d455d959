// What a request means, as plain JSON: two requests with the same meaning should get the same answer. Times, counts, ids of providers and
// everything secret are no part of it.
import { secretsOf } from "../secrets.ts";
import { stableHash } from "../tools/stable-hash.ts";
import type { Context, Message, Model, SimpleStreamOptions } from "../types.ts";
import { redact } from "../wire/redact.ts";

/** A request reduced to its meaning. */
export interface RequestMeaning {
  provider: string;
  model: string;
  systemPrompt?: string;
  messages: unknown[];
  tools?: unknown[];
  options?: Record<string, unknown>;
}

const OPTIONS = [
  "temperature",
  "maxTokens",
  "stopSequences",
  "toolChoice",
  "parallelToolCalls",
  "responseSchema",
  "reasoning",
  "thinkingBudgets",
] as const satisfies readonly (keyof SimpleStreamOptions)[];

/** The meaning of a request, with keys taken out and the fields of every object in one order. */
export function meaningOf(model: Model, context: Context, options: SimpleStreamOptions | undefined): RequestMeaning {
  const chosen = Object.fromEntries(OPTIONS.map((name) => [name, options?.[name]]));
  const meaning = {
    provider: model.provider,
    model: model.id,
    systemPrompt: context.systemPrompt || undefined,
    messages: context.messages.map(messageMeaning),
    tools: context.tools?.map(({ name, description, parameters }) => ({ name, description, parameters })),
    options: Object.values(chosen).some((value) => value !== undefined && value !== null) ? chosen : undefined,
  };
  return withoutSecrets(inOrder(meaning), secretsOf(model, options, {})) as RequestMeaning;
}

/** The short name of a meaning. */
export function keyOf(meaning: RequestMeaning): string {
  return stableHash(JSON.stringify(meaning));
}

/** A JSON value with the secrets in its texts replaced. */
export function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner, secrets)]));
}

function messageMeaning(message: Message): unknown {
  const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  if (message.role !== "toolResult") return { role: message.role, content };
  const { toolCallId, toolName, isError } = message;
  return { role: message.role, toolCallId, toolName, isError, content };
}

/** A value as JSON has it, with sorted keys. */
function inOrder(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
