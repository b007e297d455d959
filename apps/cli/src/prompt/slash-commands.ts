// What can be said by its name, `/review src`: prompt templates and the commands of extensions, for every mode.
import { nearest } from "@rondo/ai";
import { fillTemplate, type PromptTemplate } from "../context/prompt-templates.ts";
import { UsageError } from "../exit-codes.ts";
import type { ExtensionCommand } from "../extensions/api.ts";
import { reasonOf } from "../extensions/reason-of.ts";

/** One of them. */
export interface SlashCommand {
  /** Without the slash. */
  name: string;
  description: string;
  argumentHint: string | undefined;
  /** Resolves with what is to be said to the model; undefined if there is nothing to say. */
  run(argument: string): Promise<string | undefined>;
}

/** All of them; of two with one name the template counts, since the person wrote it. */
export function slashCommands(templates: PromptTemplate[], commands: ExtensionCommand[]): SlashCommand[] {
  const fromTemplates = templates.map((template): SlashCommand => {
    const { name, description, argumentHint } = template;
    return { name, description, argumentHint, run: async (argument) => fillTemplate(template, argument) };
  });
  const names = new Set(templates.map(({ name }) => name));
  const fromExtensions = commands
    .filter(({ name }) => !names.has(name))
    .map(
      ({ name, description, argumentHint, run }): SlashCommand => ({
        name,
        description,
        argumentHint,
        run: async (argument) => {
          try {
            return await run(argument);
          } catch (error) {
            throw new UsageError(`The command /${name} of an extension failed: ${reasonOf(error)}`);
          }
        },
      }),
    );
  return [...fromTemplates, ...fromExtensions];
}

const BEGINNING = /^\/([\w-]+)(?=\s|$)/;

/**
 * Throws a `UsageError` if a text begins like a command and there is none of that name. A path with a further slash is none.
 *
 * @param notices what the person should know anyway, such as that a project's prompts are left alone
 */
export function refuseUnknownCommand(
  said: string,
  { commands, notices }: { commands: SlashCommand[]; notices: string[] },
): void {
  const name = BEGINNING.exec(said)?.[1];
  const names = commands.map((command) => command.name);
  if (name === undefined || names.includes(name)) return;
  const near = nearest(name, names).map((each) => `/${each}`);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  const sentence = `No prompt and no command of an extension is called /${name}.${hint} To say it to the model, put a word before it.`;
  throw new UsageError([sentence, ...notices].join("\n"));
}

/** What a text comes to: that of the command that it begins with, or the text itself. Rejects with a `UsageError` if the command failed. */
export async function resolveSlashCommand(said: string, commands: SlashCommand[]): Promise<string | undefined> {
  const [whole, name] = BEGINNING.exec(said) ?? [];
  const command = whole && commands.find((candidate) => candidate.name === name);
  return whole && command ? command.run(said.slice(whole.length).trim()) : said;
}
