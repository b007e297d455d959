// All commands of the editor, and how one is run.
import type { App } from "../app.ts";
import { costCommand, createHelpCommand, permissionsCommand, quitCommand } from "./information.ts";
import { modelCommand, thinkingCommand } from "./model.ts";
import { copyCommand, exportCommand } from "./output.ts";
import { compactCommand, forkCommand, nameCommand, newCommand, resumeCommand, treeCommand } from "./session.ts";
import { settingsCommand } from "./settings.ts";
import type { Command } from "./table.ts";

/**
 * The commands, in the order in which they are listed.
 *
 * @param others of skills, templates and extensions; a name that is taken already belongs to the command that has it
 */
export function createCommands(others: Command[] = []): Command[] {
  const commands: Command[] = [
    modelCommand,
    thinkingCommand,
    newCommand,
    resumeCommand,
    treeCommand,
    forkCommand,
    nameCommand,
    compactCommand,
    exportCommand,
    copyCommand,
    permissionsCommand,
    costCommand,
    settingsCommand,
    createHelpCommand(() => commands),
    quitCommand,
    ...others,
  ];
  return commands;
}

/** Runs a line that begins with a slash. `false` if it is no command but something to be said, such as a path. */
export function runCommandLine(app: App, commands: Command[], line: string): boolean {
  const match = /^\/([\w-]*)(?:\s+([\s\S]*))?$/.exec(line);
  if (!match) return false;
  const [, name, argument = ""] = match;
  const command =
    commands.find((each) => each.name === name) ?? commands.find(({ aliases }) => aliases?.includes(name ?? ""));
  if (!command) {
    app.conversation.notice("warning", `There is no command /${name}. /help lists them.`);
    return true;
  }
  void runGuarded(app, () => command.run(app, argument.trim()));
  return true;
}

/** Whether a line says nothing but that rondo is to be left. */
export function isLeaving(line: string): boolean {
  return [quitCommand.name, ...(quitCommand.aliases ?? [])].some((name) => line === `/${name}`);
}

/** Does something for the person, and tells them if it fails. */
export async function runGuarded(app: App, act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    app.conversation.notice("error", error instanceof Error ? error.message : String(error));
  }
}
