// Every flag of the command, once. The parser, the help text, docs/cli.md and the shell completions are all made from this.

/** One flag. */
export interface Flag {
  /** Without the dashes. */
  name: string;
  short?: string;
  /** What stands for the value in the help; absent for a flag that is on or off. */
  value?: string;
  /** The value may be left out. */
  optional?: boolean;
  /** The only values that are taken. */
  choices?: readonly string[];
  /** Whether it may be given several times. */
  repeatable?: boolean;
  /** The value is a number above zero; a whole one if it counts something. */
  number?: "any" | "whole";
  group: "Model" | "Session" | "Output" | "Permissions" | "Limits" | "Durable runs" | "Other";
  /** One or two sentences. */
  help: string;
}

/** All flags, in the order of the help. */
export const FLAGS = [
  {
    name: "model",
    short: "m",
    value: "provider/id[:level],…",
    group: "Model",
    help: "The model, such as anthropic/claude-sonnet-5-5 or openai/gpt-6.1-sol:high. A part of a name is enough if only one model has it. Several with commas between them: the next is asked when one fails.",
  },
  { name: "provider", value: "id", group: "Model", help: "Who serves the model, where --model does not say." },
  {
    name: "thinking",
    value: "level",
    choices: ["off", "minimal", "low", "medium", "high", "xhigh", "max"],
    group: "Model",
    help: "How hard the model is asked to think. Default off.",
  },
  {
    name: "base-url",
    value: "url",
    group: "Model",
    help: "Address of the server, instead of the provider's own. It holds for the provider of the first model.",
  },
  {
    name: "api-key",
    value: "key",
    group: "Model",
    help: "The key. Other users of this machine can see it in the list of processes; an environment variable is safer.",
  },
  {
    name: "system-prompt",
    value: "text",
    group: "Model",
    help: "A system prompt in the place of rondo's own. Instructions of AGENTS.md and skills still follow it.",
  },
  {
    name: "extension",
    value: "file",
    repeatable: true,
    group: "Other",
    help: "Load an extension: a module that adds tools, commands, providers or hooks (docs/extensions.md).",
  },
  { name: "append-system-prompt", value: "text", group: "Model", help: "Text for the end of the system prompt." },
  {
    name: "continue",
    short: "c",
    group: "Session",
    help: "Go on with the session of this folder that was changed last.",
  },
  {
    name: "resume",
    short: "r",
    value: "id or text",
    optional: true,
    group: "Session",
    help: "Go on with a session: its id, the end of it, or a part of its title. Without a value the last one; on a terminal, choose one.",
  },
  { name: "session", value: "file", group: "Session", help: "Go on with the session in a file, or begin it there." },
  {
    name: "fork",
    value: "id[:entry]",
    optional: true,
    group: "Session",
    help: "Go on in a copy of a session, up to one of its entries or whole. Without a value, of the last one.",
  },
  { name: "no-session", group: "Session", help: "Keep nothing of this conversation." },
  { name: "print", short: "p", group: "Output", help: "Answer the prompt and end. The same as --mode print." },
  {
    name: "mode",
    value: "mode",
    choices: ["print", "json", "rpc", "acp"],
    group: "Output",
    help: "print: the answer on standard output, progress on standard error. json: one event a line. rpc: requests and events as lines, for programs (docs/rpc.md). Default: a conversation in a terminal, else print.",
  },
  {
    name: "schema",
    value: "file",
    group: "Output",
    help: "Make the answer JSON that fits the JSON Schema in the file, on one line. If it does not fit, nothing is printed and the exit code is 6.",
  },
  {
    name: "allow",
    value: "rule",
    repeatable: true,
    group: "Permissions",
    help: "Allow what the rule matches: a tool (edit), several ('mcp__files__*'), or a tool and a pattern, as in 'bash(npm test)', 'bash(git log:*)', 'write(src/**)'.",
  },
  {
    name: "ask",
    value: "rule",
    repeatable: true,
    group: "Permissions",
    help: "Ask first; refused where nobody can answer.",
  },
  { name: "deny", value: "rule", repeatable: true, group: "Permissions", help: "Refuse, whatever else allows it." },
  { name: "yolo", group: "Permissions", help: "Allow everything that no --deny or --ask rule matches." },
  {
    name: "sandbox",
    group: "Permissions",
    help: "Run commands in a sandbox (bubblewrap, on Linux): no network, and writes only in the workspace and in a /tmp of the session's own.",
  },
  { name: "no-sandbox", group: "Permissions", help: "Run commands without the sandbox that the settings ask for." },
  { name: "max-turns", value: "n", number: "whole", group: "Limits", help: "Most model calls. Default: no limit." },
  {
    name: "max-cost",
    value: "dollars",
    number: "any",
    group: "Limits",
    help: "Most US dollars, as far as the providers report tokens. A model without a known price is refused then, unless --unknown-cost says warn.",
  },
  {
    name: "unknown-cost",
    value: "what",
    choices: ["refuse", "warn"],
    group: "Limits",
    help: "With --max-cost, what to do about a model whose price is not known (models.json can give it one). Default refuse.",
  },
  {
    name: "timeout",
    value: "seconds",
    number: "any",
    group: "Limits",
    help: "Most seconds for the whole run. Default: no limit.",
  },
  {
    name: "durable",
    group: "Durable runs",
    help: "Record every step of the answer to this one prompt, so that a run that was cut, even by kill -9, goes on where it was: rondo --continue --durable (docs/durable.md).",
  },
  {
    name: "engine",
    value: "engine",
    choices: ["journal", "dbos"],
    group: "Durable runs",
    help: "Where worker, submit, watch and send find the runs. journal: files of this machine, for this folder. dbos: a PostgreSQL database. Default journal, or dbos with --database-url.",
  },
  {
    name: "database-url",
    value: "url",
    group: "Durable runs",
    help: "The database for --engine dbos. Default: DATABASE_URL, which other users of this machine cannot see.",
  },
  {
    name: "concurrency",
    value: "n",
    number: "whole",
    group: "Durable runs",
    help: "For worker: most runs at the same time, all of them in this folder. Default 1.",
  },
  {
    name: "run",
    value: "name",
    group: "Durable runs",
    help: "For submit: the name of the run. Default: one by chance.",
  },
  {
    name: "follow-up",
    group: "Durable runs",
    help: "For send: the message is for when the run would end, not for its next model call.",
  },
  { name: "abort", group: "Durable runs", help: "For send: ask the run to end; the message is the reason." },
  {
    name: "completions",
    value: "shell",
    choices: ["bash", "zsh", "fish"],
    group: "Other",
    help: "Print a completion script for a shell.",
  },
  { name: "help", short: "h", group: "Other", help: "Print the help." },
  { name: "version", short: "v", group: "Other", help: "Print the version." },
] as const satisfies readonly Flag[];

/** The name of a flag. */
export type FlagName = (typeof FLAGS)[number]["name"];
