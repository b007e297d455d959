// Recordings of real servers, which are not part of this repository: RONDO_CORPUS names a folder with <api>/<case>/response.sse and
// meta.json. Without it, nothing is found.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WireApi } from "@rondo/test-fixtures";
import { WIRES } from "./wires.ts";

export interface RecordedAnswer {
  /** `<api>/<case>`. */
  id: string;
  api: WireApi;
  bytes: Uint8Array;
}

/** Mistral speaks Chat Completions with habits of its own. */
const SPOKEN_AS: Record<string, WireApi> = { mistral: "openai-completions" };

/** All recorded answers that are event streams, sorted. */
export function recordedAnswers(corpus: string): RecordedAnswer[] {
  const folders = [...Object.keys(WIRES), ...Object.keys(SPOKEN_AS)].filter((folder) =>
    existsSync(join(corpus, folder)),
  );
  return folders.flatMap((folder) =>
    readdirSync(join(corpus, folder))
      .sort()
      .filter((name) => existsSync(join(corpus, folder, name, "response.sse")))
      .map((name) => ({
        id: `${folder}/${name}`,
        api: SPOKEN_AS[folder] ?? (folder as WireApi),
        bytes: readFileSync(join(corpus, folder, name, "response.sse")),
      })),
  );
}

/** What in a body can be a reason to call an answer whole. */
export const STOP_EVIDENCE: Record<WireApi, RegExp> = {
  "anthropic-messages": /"stop_reason":\s*"/,
  "openai-completions": /"finish_reason":\s*"/,
  "openai-responses": /response\.(completed|incomplete|failed|cancelled|done)\b/,
  "google-generative-ai": /"finish_?[rR]eason"/,
};
