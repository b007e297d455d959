// Interactive mode as the command starts it: on the process's own terminal, with a session that is kept.
import type { Ending } from "../../exit-codes.ts";
import type { CommandLine } from "../../flags/parse.ts";
import { assemblePrompt } from "../../prompt/assemble-prompt.ts";
import { refuseUnknownCommand, resolveSlashCommand, type SlashCommand } from "../../prompt/slash-commands.ts";
import { createSession, type SessionSettings } from "../../session/create-session.ts";
import { watchSignals } from "../../session/watch-signals.ts";
import type { Command } from "./commands/table.ts";
import { runInteractive } from "./index.ts";
import { KeptSession } from "./kept-session.ts";
import { PermissionAsker } from "./permission-asker.ts";

/** Runs until the person leaves. The words of the command line are the first prompt, if there are any. */
export async function startInteractive(
  { words, has, value }: CommandLine,
  settings: SessionSettings,
  interruption: AbortController,
): Promise<Ending> {
  const { root, home, env, rules, selection } = settings;
  const assembled = await assemblePrompt(words, undefined, settings);
  refuseUnknownCommand(assembled.text, settings);
  const text = await resolveSlashCommand(assembled.text, settings.commands);
  const asker = new PermissionAsker();
  const session = await createSession(settings, asker.ask);
  const stopWatching = watchSignals(interruption, session);
  try {
    return await runInteractive({
      session: new KeptSession(session.keeper, root, rules),
      asker,
      home,
      env,
      input: process.stdin,
      output: process.stdout,
      otherOutputs: process.stderr.isTTY ? [process.stderr] : [],
      signal: interruption.signal,
      settings: settings.appearance,
      greeting: [
        ...(selection.reason === undefined ? [] : [`Using ${selection.reason}`]),
        ...settings.notices,
        ...session.notices,
        ...session.keeper.notices,
      ].join("\n"),
      commands: settings.commands.map(toEditorCommand),
      isForeignFault: (error) => settings.extensions.faults.owns(error),
      ...(has("resume") && value("resume") === "" && { firstCommand: "/resume" }),
      ...((text || assembled.images.length > 0) && { prompt: { ...assembled, text: text ?? "" } }),
    });
  } finally {
    stopWatching();
    session.close();
  }
}

/** A template or a command of an extension, as the editor has commands. */
function toEditorCommand({ name, description, argumentHint, run }: SlashCommand): Command {
  return {
    name,
    description,
    ...(argumentHint !== undefined && { argumentHint }),
    async run({ talk }, argument) {
      const text = await run(argument);
      if (text) talk.say(text);
    },
  };
}
