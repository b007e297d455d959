// What a command of the editor is. The list of all is in commands/index.ts.
import type { AutocompleteItem } from "@earendil-works/pi-tui";
import type { App } from "../app.ts";

/** One command. */
export interface Command {
  /** Without the slash. */
  name: string;
  description: string;
  /** Other names that hands may type. They are not listed. */
  aliases?: readonly string[];
  /** What may follow it, for people. */
  argumentHint?: string;
  /** What may follow it, for completion. */
  completeArgument?: (app: App, begun: string) => AutocompleteItem[];
  run(app: App, argument: string): void | Promise<void>;
}
