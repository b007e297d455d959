// The models that read the histories of these tests: one for each API, the authors of the generated histories among them.
import { HISTORY_MODELS } from "@rondo/test-fixtures";
import type { Message, Model } from "../../src/types.ts";

/** A model that takes everything. */
export function modelOf(
  identity: { api: string; provider: string; model: string },
  overrides: Partial<Model> = {},
): Model {
  return {
    id: identity.model,
    name: identity.model,
    api: identity.api,
    provider: identity.provider,
    baseUrl: "http://127.0.0.1/",
    reasoning: true,
    input: ["text", "image", "pdf"],
    cost: {},
    maxTokens: 32_000,
    ...overrides,
  };
}

/** One model per API that wrote parts of the generated histories, a text-only one and one with Mistral's short ids. */
export const TARGETS: Model[] = [
  ...HISTORY_MODELS.map((identity) => modelOf(identity)),
  modelOf({ api: "openai-completions", provider: "local", model: "text-only" }, { input: ["text"] }),
  modelOf(
    { api: "openai-completions", provider: "mistral", model: "short-ids" },
    { quirks: { shortToolCallIds: true } },
  ),
  modelOf({ api: "an-api-of-ones-own", provider: "own", model: "own" }),
];

/** A history that throws where somebody tries to change it. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}

/** The generated messages under the package's own type. */
export const asMessages = (history: readonly object[]): Message[] => history as unknown as Message[];
