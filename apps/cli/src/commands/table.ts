// The commands beside the main one, once: the dispatch, the help text and docs/cli.md are made from this. A command is one only as
// the first word of the command line; anywhere else the word belongs to the prompt.

/** One command. */
export interface CommandDescription {
  name: string;
  /** What follows the name. */
  operands: string;
  /** Words of which one may come first among the operands. */
  actions?: readonly string[];
  help: string;
}

/** All commands, in the order of the help. */
export const COMMANDS = [
  {
    name: "models",
    operands: "[text] | --refresh [url or file]",
    help: "List the models that can be used now, all of a provider (rondo models anthropic), or all that a text may mean. --refresh takes over the list of models.dev as it is today, or one like it.",
  },
  {
    name: "auth",
    operands: "[set|remove <provider>]",
    actions: ["set", "remove"],
    help: "Show where keys are found. set keeps one in a file that only you can read; it comes through standard input.",
  },
  {
    name: "sessions",
    operands: "[text]",
    help: "List the sessions of this folder, or those that a text fits; of a single one also what was said in it.",
  },
  {
    name: "export",
    operands: "[session] [--format html|md]",
    help: "Write a session to standard output: an id, a part of its title or a file; the last one without. Default html.",
  },
  {
    name: "config",
    operands: "",
    help: "Show every setting, extension, skill, prompt and instruction file that holds, and where it comes from.",
  },
  {
    name: "trust",
    operands: "[remove]",
    actions: ["remove"],
    help: "Let the settings, extensions, servers, skills and prompts that a project brings along hold, as they are now.",
  },
  {
    name: "worker",
    operands: "[flags]",
    help: "Work on submitted tasks in this folder until told to stop. Takes the flags of model, permissions and limits.",
  },
  { name: "submit", operands: "<task>", help: "Leave a task for the workers, and print the name of its run." },
  {
    name: "watch",
    operands: "<run>",
    help: "Show a run from its beginning until it ends. --mode json: one event a line.",
  },
  {
    name: "send",
    operands: "<run> <message>",
    help: "Send a message to a run, for its next model call; or with --follow-up, or to --abort it.",
  },
  { name: "doctor", operands: "", help: "Say what is found, what is missing, and how to mend it." },
] as const satisfies readonly CommandDescription[];

/** The name of a command. */
export type CommandName = (typeof COMMANDS)[number]["name"];

/** The command that a command line begins with, if it is one. */
export function commandNamed(word: string | undefined): CommandName | undefined {
  return COMMANDS.find(({ name }) => name === word)?.name;
}
