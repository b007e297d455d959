// What a worker knows of its own lease: until when nobody can have given it up for dead. Invariant: it errs on the safe side.
// The database counts from when a beat arrived, this counts from before it was sent.

export class Lease {
  readonly #leaseMs: number;
  #sentAt: Moment | undefined;
  #terms = 0;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** Counts how often the lease began anew. What a worker had in an earlier term others may have taken. */
  get term(): number {
    return this.#terms;
  }

  /** Whether it holds at this moment. */
  get holds(): boolean {
    return this.#sentAt !== undefined && elapsedMs(this.#sentAt) < this.#leaseMs;
  }

  /** Sends a beat. One that arrives when the lease may have been over begins a new term. */
  async renew(beat: () => Promise<void>): Promise<void> {
    const sentAt = momentNow();
    await beat();
    if (!this.holds) this.#terms++;
    // Beats may overlap.
    if (this.#sentAt === undefined || this.#sentAt.steady < sentAt.steady) this.#sentAt = sentAt;
  }
}

/** By two clocks, since one may be set back and the other stands while the machine is suspended. */
interface Moment {
  wall: number;
  steady: number;
}

function momentNow(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

function elapsedMs(since: Moment): number {
  return Math.max(Date.now() - since.wall, performance.now() - since.steady);
}
