// The settings of a session out of the command line and the environment.
import { homedir } from "node:os";
import type { ThinkingLevel } from "@rondo/ai";
import type { CommandLine } from "../flags/parse.ts";
import { parseRule } from "../permissions/rules.ts";
import type { SessionSettings } from "../session/create-session.ts";
import { selectModel } from "./select-model.ts";

/** Pause after each word of the demo on a terminal, so that it looks like a stream. */
const DEMO_PAUSE_MS = 25;

/** Reads the settings. Throws a `UsageError` for what cannot be. */
export function readSettings(commandLine: CommandLine, process: NodeJS.Process): SessionSettings {
  const timeoutSeconds = commandLine.number("timeout");
  return {
    root: process.cwd(),
    home: homedir(),
    env: process.env,
    selection: selectModel(
      {
        model: commandLine.value("model"),
        provider: commandLine.value("provider"),
        baseUrl: commandLine.value("base-url"),
        thinking: commandLine.value("thinking") as ThinkingLevel | undefined,
      },
      process.env,
    ),
    apiKey: commandLine.value("api-key"),
    rules: (["deny", "ask", "allow"] as const).flatMap((verdict) =>
      commandLine.values(verdict).map((text) => parseRule(verdict, text)),
    ),
    yolo: commandLine.has("yolo"),
    turnsMax: commandLine.number("max-turns"),
    durationMaxMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    demoPauseMs: process.stdout.isTTY ? DEMO_PAUSE_MS : 0,
  };
}
