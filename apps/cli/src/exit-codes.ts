// The exit codes of the command, as one table. docs/cli.md is made from it.

/** How a run of the command ended → the exit code that says so. */
export const EXIT_CODES = {
  done: 0,
  modelError: 1,
  usage: 2,
  auth: 3,
  budget: 4,
  refused: 5,
  schema: 6,
  unwritable: 7,
  internal: 70,
  interrupted: 130,
  terminated: 143,
} as const;

/** The name of an exit code. */
export type Ending = keyof typeof EXIT_CODES;

/** What each exit code means, for people. */
export const EXIT_CODE_MEANINGS: Record<Ending, string> = {
  done: "Done: the model finished its answer.",
  modelError: "The model call failed: network, provider, a cut stream, or an empty answer.",
  usage: "The command line is wrong: an unknown flag or model, no prompt, a file that cannot be read or written.",
  auth: "No key, or a key that the provider does not take.",
  budget: "A limit was reached: --max-turns, --max-cost or --timeout.",
  refused: "The model finished, but tool calls were refused by the permissions.",
  schema: "The answer does not fit --schema.",
  unwritable: "Standard output could not be written, as on a full disk. A reader that has gone is not that: see 143.",
  internal: "A fault in rondo itself.",
  interrupted: "Interrupted (Ctrl-C).",
  terminated: "Ended by SIGTERM, SIGHUP or SIGQUIT, or since nobody reads standard output any more.",
};

/** A mistake on the command line or in the set-up: one sentence for the person, and the exit code. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly ending: Ending;

  constructor(message: string, ending: Ending = "usage") {
    super(message);
    this.ending = ending;
  }
}
