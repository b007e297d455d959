// Errors of extensions that nobody caught: those whose stack leads through a file of an extension are told and do not end the
// process. Others end it as they would. Invariant: what is told before somebody hears is kept until then.
import { pathToFileURL } from "node:url";

/** The faults of some extensions, from before they are loaded until the session ends. */
export class ExtensionFaults {
  readonly #paths: readonly string[];
  #untold: string[] = [];
  #hear: ((text: string) => void) | undefined;

  /** @param paths the files of the extensions; without any nothing is watched */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
    if (paths.length === 0) return;
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
    return this.#pathIn(error) !== undefined;
  }

  /** Watches no longer. */
  stop(): void {
    process.off("uncaughtException", this.#take);
    process.off("unhandledRejection", this.#take);
  }

  readonly #take = (error: unknown): void => {
    const path = this.#pathIn(error);
    if (path !== undefined && error instanceof Error) {
      const text = `The extension ${path} failed: ${error.message.split("\n")[0]}`;
      if (this.#hear) this.#hear(text);
      else this.#untold.push(text);
      return;
    }
    // Whoever else listens, as interactive mode does, has it already.
    if (process.listenerCount("uncaughtException") > 1) return;
    this.stop();
    setImmediate(() => {
      throw error;
    });
  };

  #pathIn(error: unknown): string | undefined {
    const stack = error instanceof Error ? (error.stack ?? "") : "";
    return this.#paths.find((path) => stack.includes(path) || stack.includes(pathToFileURL(path).href));
  }
}
