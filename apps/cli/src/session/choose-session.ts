// Which session a run goes on with, by its flags.
import { resolve } from "node:path";
import { UsageError } from "../exit-codes.ts";
import type { CommandLine } from "../flags/parse.ts";
import type { SessionShelf } from "./session-shelf.ts";
import type { SessionStore } from "./session-store.ts";

const CHOICES = ["continue", "resume", "session", "fork", "no-session"] as const;

/** Opens or begins the session that the flags name; a new one without any. Throws a `UsageError` for what cannot be. */
export function chooseSession(commandLine: CommandLine, shelf: SessionShelf): SessionStore {
  const given = CHOICES.filter((flag) => commandLine.has(flag));
  if (given.length > 1) throw new UsageError(`${given.map((flag) => `--${flag}`).join(" and ")} exclude each other.`);
  switch (given[0]) {
    case "continue":
      return shelf.openLast();
    case "resume":
      return resume(commandLine, shelf);
    case "session":
      return shelf.openFile(resolve(commandLine.value("session") ?? ""));
    case "fork":
      return fork(commandLine, shelf);
    default:
      return shelf.begin();
  }
}

function resume(commandLine: CommandLine, shelf: SessionShelf): SessionStore {
  const text = commandLine.value("resume") ?? "";
  return text === "" ? shelf.openLast() : shelf.open(text, advice(commandLine, "resume"));
}

function fork(commandLine: CommandLine, shelf: SessionShelf): SessionStore {
  const text = commandLine.value("fork") ?? "";
  const [, session = "", entry] = /^(.*?)(?::([0-9a-f]+))?$/s.exec(text) ?? [];
  const path = session === "" ? shelf.lastPath() : shelf.find(session, advice(commandLine, "fork")).path;
  if (path === undefined) throw new UsageError("There is no session of this folder yet, so there is none to copy.");
  return shelf.fork(path, entry);
}

/** Where nothing else was said, the prompt was taken for the name of a session. */
function advice({ words }: CommandLine, flag: "resume" | "fork"): string {
  if (words.length > 0) return "";
  return ` If that was the prompt, write --${flag} -- "…" for the last session, or --${flag}=<id> "…" for another.`;
}
