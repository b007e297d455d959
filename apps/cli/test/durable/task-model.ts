// A model whose task is a number of commands, one a turn, each of which writes into a log that it ran. The log, not what the run
// says of itself, is what the tests of durable runs go by.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replayScript, type WireRequest } from "@rondo/test-fixtures";
import { serve, text, through } from "../served-model.ts";

/** The answer when all commands are done. */
export const ANSWER = "All done.";

/** Writes into the log, and then takes a minute if there is a file that says so. */
const MARK = '#!/bin/sh\necho "$1" >> log.txt\nif [ -e slow ]; then sleep 60; fi\n';

/** Makes a folder for the task. */
export function taskFolder(base: string): string {
  const folder = join(base, "workspace");
  mkdirSync(folder);
  writeFileSync(join(folder, "mark.sh"), MARK, { mode: 0o755 });
  return folder;
}

/** Flags that let the commands of the task run. */
export const ALLOW = ["--allow", "bash(./mark.sh:*)"];

/**
 * Serves the model. Turn n looks at the folder and runs a command that writes n into the log.
 *
 * @param onRequest sees every request before it is answered
 */
export async function serveTask(turns: number, onRequest: (request: WireRequest) => void = () => {}) {
  const requests: WireRequest[] = [];
  const server = await serve(
    replayScript((request) => {
      requests.push(request);
      onRequest(request);
      const turn = request.messages.filter(({ role }) => role === "assistant").length + 1;
      if (turn > turns) return text(ANSWER);
      return {
        content: [
          { type: "toolCall", id: `look_${turn}`, name: "ls", arguments: {} },
          { type: "toolCall", id: `write_${turn}`, name: "bash", arguments: { command: `./mark.sh ${turn}` } },
        ],
      };
    }),
  );
  return { requests, flags: through(server.url) };
}

/** What the commands of a folder have written, in order. */
export function logIn(folder: string): number[] {
  try {
    return readFileSync(join(folder, "log.txt"), "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}
