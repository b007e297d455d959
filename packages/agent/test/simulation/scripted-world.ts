// Everything around an agent that can go wrong, chosen at random: models, tools, hooks and listeners that work, wait,
// throw, hang, hand over rubbish, speak up late, or turn on the agent that is calling them.
import type { Agent, AgentBudget, AgentEvent, AgentMessage, AgentOptions, StreamFn } from "@rondo/agent";
import type { Random } from "./random.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { scriptedNotes } from "./scripted-notes.ts";
import { UsageTally } from "./usage-tally.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** How long an aborted run waits for those who do not react. */
export const GRACE_MS = 1_000;

export class World {
  readonly random: Random;
  readonly clock: VirtualClock;
  agent!: Agent;
  /** What a check found; the run fails with it at the end. */
  readonly complaints: string[] = [];
  prompts = 0;
  readonly tally = new UsageTally();
  /** How likely it is that something misbehaves; some runs are peaceful. */
  readonly trouble: number;
  readonly streamFn: StreamFn;

  constructor(random: Random, clock: VirtualClock) {
    this.random = random;
    this.clock = clock;
    this.trouble = random.pick([0, 0.02, 0.1, 0.3]);
    this.streamFn = new ScriptedModel(this).streamFn;
  }

  readonly complain = (what: string): void => {
    this.complaints.push(what);
  };

  /** Complains of what a check throws. */
  check(what: string, check: () => void): void {
    try {
      check();
    } catch (error) {
      this.complain(`${what}: ${(error as Error).message}`);
    }
  }

  /** Fails the run if somebody is asked for something new after an abort. */
  forbidAfterAbort(what: string): void {
    if (this.agent.signal?.aborted) this.complain(`${what} after an abort`);
  }

  /** Something that may go wrong on the way to `value`. */
  async maybe<T>(value: T): Promise<T> {
    if (!this.random.chance(this.trouble)) {
      if (this.random.chance(0.2)) await this.clock.sleep(this.random.between(0, 200));
      return value;
    }
    const kind = this.random.weighted({
      throws: 3,
      throwsText: 1,
      hangs: 1,
      slow: 2,
      rubbish: 1,
      aborts: 1,
      steers: 1,
    });
    if (kind === "throws") throw new Error("trouble");
    if (kind === "throwsText") throw "trouble";
    if (kind === "hangs") return new Promise(() => {});
    if (kind === "slow") await this.clock.sleep(this.random.between(500, 20_000));
    if (kind === "rubbish") return 42 as T;
    if (kind === "aborts") this.agent.abort();
    if (kind === "steers") this.say();
    return value;
  }

  /** Queues a message that nobody said before. */
  readonly said: string[] = [];
  say(): void {
    const text = `said ${this.said.length}`;
    this.said.push(text);
    const message = { role: "user" as const, content: text, timestamp: this.clock.now() };
    if (this.random.chance(0.5)) this.agent.steer(message);
    else this.agent.followUp(message);
  }

  /** How an agent of this world is set up, all but its model and tools. */
  options(): AgentOptions {
    const { random, clock } = this;
    const some = (probability: number, value: AgentOptions) => (random.chance(probability) ? value : {});
    return {
      ...this.#hooks(),
      ...some(0.3, { toolExecution: "sequential" }),
      ...some(0.3, { steeringMode: "all" }),
      ...some(0.3, { followUpMode: "all" }),
      ...some(0.5, { retry: { attemptsMax: random.between(1, 4), baseDelayMs: 100 } }),
      budget: this.#budget(),
      abortGraceMs: GRACE_MS,
      clock,
      random: () => random.next(),
    };
  }

  #budget(): AgentBudget {
    const { random } = this;
    const limit = (probability: number, value: AgentBudget) => (random.chance(probability) ? value : {});
    return {
      ...limit(0.1, { turnsMax: random.between(1, 5) }),
      ...limit(0.1, { toolCallsMax: random.between(1, 5) }),
      ...limit(0.1, { durationMaxMs: random.between(1, 30_000) }),
      ...limit(0.1, { tokensMax: random.between(40, 200) }),
      ...limit(0.1, { costMax: 0.002, unknownCost: random.pick(["refuse", "warn"] as const) }),
      ...limit(0.1, { repeatedCallsMax: 1 }),
      ...limit(0.2, { toolTimeoutMs: random.between(1, 2_000) }),
      ...limit(0.2, { concurrentToolsMax: random.between(1, 3) }),
    };
  }

  #hooks(): AgentOptions {
    const notes = this.random.chance(0.3) ? scriptedNotes(this) : undefined;
    let overflowedAt: AgentMessage | undefined;
    const all: AgentOptions = {
      transformContext: async (messages, ...rest) =>
        this.maybe(notes ? await notes.transformContext(messages, ...rest) : messages),
      getApiKey: () => this.maybe("key"),
      beforeToolCall: async () => {
        this.forbidAfterAbort("beforeToolCall");
        return this.maybe(this.random.chance(0.1) ? { block: true, reason: "not now" } : undefined);
      },
      afterToolCall: () => this.maybe(this.random.chance(0.1) ? { isError: true, details: { at: 1n } } : undefined),
      shouldStopAfterTurn: () => this.maybe(this.random.chance(0.03)),
      onContextOverflow: async (messages, ...rest) => {
        if (messages.at(-1) === overflowedAt) this.complain("a turn that overflowed was shortened twice");
        overflowedAt = messages.at(-1);
        return this.maybe(notes ? await notes.onContextOverflow(messages, ...rest) : this.random.chance(0.5));
      },
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => isNeeded(name, notes) || this.random.chance(0.5)));
  }

  /** Something that listens, is slow at times, speaks up, and now and then forgets that a run is under way. */
  listener(): (event: AgentEvent) => void | Promise<void> {
    const slow = this.random.chance(0.5);
    const busySince = new Set<{ at: number }>();
    // One that takes longer than the grace period is not waited for any more once its run has been ended early.
    let givenUp = false;
    return (event) => {
      if ([...busySince].some(({ at }) => this.clock.now() - at >= GRACE_MS)) givenUp = true;
      if (busySince.size > 0 && !givenUp) this.complain("a listener hears two events at once");
      if (event.type === "message_update") return;
      if (this.random.chance(0.03)) this.say();
      if (this.random.chance(0.02)) void this.#promptInBetween();
      if (!slow || this.random.chance(0.7)) return;
      const visit = { at: this.clock.now() };
      busySince.add(visit);
      return this.maybe(undefined).finally(() => {
        busySince.delete(visit);
        if (this.clock.now() - visit.at >= GRACE_MS) givenUp = true;
      });
    };
  }

  async #promptInBetween(): Promise<void> {
    const refused = await this.agent.prompt("now").catch(() => "refused");
    if (refused !== "refused") this.complain("two runs at once");
  }
}

function isNeeded(hook: string, notes: object | undefined): boolean {
  return notes !== undefined && hook in notes;
}
