// A model at a server of one's own: any server that speaks one of our APIs, by its base URL.
import { UNKNOWN_SERVER } from "../providers/rows/quirk-sets.ts";
import type { KnownApi, Model } from "../types.ts";

/** What must be said of a server of one's own, and what can be. */
export interface CustomModelInput extends Partial<Omit<Model, "id" | "api" | "baseUrl">> {
  /** The model's id at that server. */
  id: string;
  /** With or without the version, such as `http://127.0.0.1:8080/v1`. May hold placeholders such as `{MY_HOST}`. */
  baseUrl: string;
  /** Default `openai-completions`. */
  api?: KnownApi;
}

/**
 * A model at any OpenAI-, Anthropic- or Gemini-compatible server. Nothing is asked of the server that a plain one could refuse;
 * `quirks` says what it can do beyond that. No key is looked up for it unless `keyEnv` names the variables: pass `apiKey`, or none for a
 * server on this machine.
 */
export function customModel(input: CustomModelInput): Model {
  const { id, baseUrl, api = "openai-completions", quirks, ...rest } = input;
  return {
    name: id,
    provider: "custom",
    reasoning: false,
    input: ["text", "image"],
    cost: {},
    keyEnv: [],
    ...rest,
    id,
    api,
    baseUrl,
    quirks: { ...UNKNOWN_SERVER[api], ...quirks },
  };
}
