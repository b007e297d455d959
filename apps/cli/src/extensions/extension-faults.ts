// Errors of extensions that nobody caught: those whose stack leads through a file of an extension are told and do not end the
// process, nor do values that are no errors, which rondo itself never throws. Others end it as they would. Invariant: what is told
// before somebody hears is kept until then.
import { pathToFileURL } from "node:url";
import { reasonOf } from "./reason-of.ts";

/** The faults of some extensions, from before they are loaded until the session ends. */
export class ExtensionFaults {
  /** Those that watch now. A process may have several sessions, and each its extensions. */
  static readonly #watching = new Set<ExtensionFaults>();
  readonly #paths: readonly string[];
  #untold: string[] = [];
  #hear: ((text: string) => void) | undefined;

  /** @param paths the files of the extensions; without any nothing is watched */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
    if (paths.length === 0) return;
    ExtensionFaults.#watching.add(this);
    process.on("uncaughtException", this.#take);
    process.on("unhandledRejection", this.#take);
  }

  /** Hears of all faults, those that were before included. */
  listen(hear: (text: string) => void): void {
    this.#hear = hear;
    for (const text of this.#untold.splice(0)) hear(text);
  }

  /** Whether an error came out of an extension. */
  owns(error: unknown): boolean {
    return this.#ownerOf(error) !== undefined;
  }

  /** Watches no longer. */
  stop(): void {
    ExtensionFaults.#watching.delete(this);
    process.off("uncaughtException", this.#take);
    process.off("unhandledRejection", this.#take);
  }

  readonly #take = (error: unknown): void => {
    const owner = this.#ownerOf(error);
    if (owner !== undefined) {
      const text = `${owner} failed: ${reasonOf(error)}`;
      if (this.#hear) this.#hear(text);
      else this.#untold.push(text);
      return;
    }
    const watching = [...ExtensionFaults.#watching];
    if (watching.some((each) => each.owns(error))) return;
    // Whoever else listens, as interactive mode does, has it already.
    if (process.listenerCount("uncaughtException") > watching.length) return;
    this.stop();
    setImmediate(() => {
      throw error;
    });
  };

  #ownerOf(error: unknown): string | undefined {
    const [first, ...others] = this.#paths;
    if (first === undefined) return undefined;
    // Whose it is cannot be told without a stack.
    if (!(error instanceof Error))
      return others.length === 0 ? `The extension ${first}` : `One of the extensions ${this.#paths.join(", ")}`;
    const stack = error.stack ?? "";
    const path = this.#paths.find((each) => stack.includes(each) || stack.includes(pathToFileURL(each).href));
    return path && `The extension ${path}`;
  }
}
