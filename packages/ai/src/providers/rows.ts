// Who serves models, as rows of data. A quirk is a capability that shared code asks for; it stands here with its source, so that
// no vendor's name or address is ever in a condition elsewhere.
import type { KnownApi, Quirks } from "../types.ts";

/** One provider. */
export interface ProviderRow {
  id: string;
  /** For people. */
  name: string;
  api: KnownApi;
  baseUrl: string;
  /** Environment variables that may hold the key, in the order in which they are looked at. */
  env: readonly string[];
  quirks?: Quirks;
}

const ROWS: readonly ProviderRow[] = [
  {
    id: "anthropic",
    name: "Anthropic",
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    env: ["ANTHROPIC_API_KEY"],
  },
  {
    id: "openai",
    name: "OpenAI",
    api: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    env: ["OPENAI_API_KEY"],
  },
  {
    id: "google",
    name: "Google Gemini",
    api: "google-generative-ai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    env: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
];

const ROW_OF_ID = new Map(ROWS.map((row) => [row.id, row]));

/** All providers, in the order in which they are listed to people. */
export function providerRows(): readonly ProviderRow[] {
  return ROWS;
}

/** The row of a provider, or undefined for one that we do not know. */
export function providerRow(id: string): ProviderRow | undefined {
  return ROW_OF_ID.get(id);
}
