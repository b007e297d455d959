// The client of the `openai` package, for the APIs that it sends for. Nothing is left to the environment: the key, the organisation, the
// project and the log level would otherwise come from variables that the caller did not choose.
import type OpenAI from "openai";
import type { SendRequest } from "../protocol.ts";
import { browserConsent } from "./browser.ts";
import { DELAY_MAX_MS } from "./timeout.ts";

/** Makes a client for one request. The package is imported on first use. */
export async function openaiClient(request: SendRequest): Promise<OpenAI> {
  const { default: Client } = await import("openai");
  return new Client({
    apiKey: request.apiKey,
    adminAPIKey: null,
    baseURL: request.baseUrl,
    organization: null,
    project: null,
    fetch: request.fetch,
    maxRetries: 0,
    timeout: DELAY_MAX_MS,
    logLevel: "off",
    ...browserConsent(),
  });
}
