// Orders the calls of a batch that touch the same thing: a call waits for the earlier ones it collides with, and for a
// free place if the number of running tools is limited. No cycles, since a call waits for earlier ones alone.
import type { ToolResources } from "./types.ts";

/** Runs work in lanes: what collides one after the other in the order of arrival, the rest together. */
export class ResourceLanes {
  readonly #free: (() => void)[] = [];
  readonly #held: { resources: ToolResources; done: Promise<unknown> }[] = [];
  #places: number;

  /** @param concurrentMax how many may run at the same time */
  constructor(concurrentMax: number = Number.POSITIVE_INFINITY) {
    this.#places = Math.max(1, Math.floor(concurrentMax) || 1);
  }

  /** Runs `work` when nothing earlier is in its way. */
  run<T>(resources: ToolResources, work: () => Promise<T>): Promise<T> {
    const inTheWay = this.#held.filter((earlier) => collide(earlier.resources, resources));
    const done = this.#inTurn(
      inTheWay.map((earlier) => earlier.done),
      work,
    );
    if (resources.reads?.length || resources.writes?.length) this.#held.push({ resources, done });
    return done;
  }

  async #inTurn<T>(earlier: Promise<unknown>[], work: () => Promise<T>): Promise<T> {
    await Promise.allSettled(earlier);
    await this.#takePlace();
    try {
      return await work();
    } finally {
      this.#leavePlace();
    }
  }

  #takePlace(): Promise<void> | undefined {
    if (this.#places === 0) return new Promise((resolve) => this.#free.push(resolve));
    this.#places--;
    return undefined;
  }

  #leavePlace(): void {
    const next = this.#free.shift();
    if (next) next();
    else this.#places++;
  }
}

/** Whether one writes what the other reads or writes. */
function collide(left: ToolResources, right: ToolResources): boolean {
  return overlap(left.writes, right.writes) || overlap(left.writes, right.reads) || overlap(left.reads, right.writes);
}

function overlap(left: string[] = [], right: string[] = []): boolean {
  return left.some((name) => right.includes(name));
}
