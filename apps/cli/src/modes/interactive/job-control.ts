// Who has the terminal: the screen, another program that it is lent to, or the shell, while the command is suspended. The one owner
// of that.
import type { Screen } from "./screen.ts";

/** How long it may take until the system has stopped the process. */
const SUSPENSION_MS = 200;

/** Gives the terminal away and takes it back. */
export class JobControl {
  readonly #screen: Screen;
  readonly #beforeSuspension: () => void;
  /** While another program has the terminal: takes it back, and resolves when it is there. */
  #takeBack: (() => Promise<void>) | undefined;
  #isSuspended = false;

  /** @param beforeSuspension does what must not wait until the command goes on */
  constructor(screen: Screen, beforeSuspension: () => void) {
    this.#screen = screen;
    this.#beforeSuspension = beforeSuspension;
  }

  /** Lets something else have the terminal for a while. It must give it back soon after `signal`. */
  async lend<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const end = new AbortController();
    this.#screen.stop();
    const using = use(end.signal).finally(() => {
      this.#takeBack = undefined;
      this.#screen.resume();
    });
    this.#takeBack = async () => {
      end.abort();
      await using.catch(() => undefined);
    };
    return using;
  }

  /** Takes the terminal from whoever it was lent to. Resolves when it is there. */
  async takeBack(): Promise<void> {
    await this.#takeBack?.();
  }

  /** Back to the shell, by a key or by a signal. */
  readonly suspend = (): void => {
    this.#isSuspended = true;
    // The signal that follows must do what it does by itself.
    process.off("SIGTSTP", this.suspend);
    if (!this.#takeBack) {
      this.#beforeSuspension();
      this.#screen.stop();
    }
    // The whole job, as the terminal would: the shell that waits for it may wait for several processes.
    process.kill(0, "SIGTSTP");
    // Where there is no shell that could take it up again, the system does not stop it.
    setTimeout(() => {
      if (this.#isSuspended) this.wake();
    }, SUSPENSION_MS);
  };

  /** Takes the terminal again, after it was stopped here or by a signal that cannot be heard. */
  readonly wake = (): void => {
    const wasSuspended = this.#isSuspended;
    this.#isSuspended = false;
    if (wasSuspended) process.on("SIGTSTP", this.suspend);
    if (this.#takeBack) return;
    if (!wasSuspended) this.#screen.stop();
    this.#screen.resume();
  };
}
