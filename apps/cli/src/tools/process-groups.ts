// The process groups that commands of a session run in, so that each can be ended with everything in it, and all of them when
// the session ends. Also finds processes that left their group, by a mark in their environment, where /proc shows it.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Environment variable that marks every process of a command. */
export const MARK_VARIABLE = "RONDO_COMMAND";
/** How long a group may take to end by itself after SIGTERM. */
const GRACE_MS = 1500;
const POLL_MS = 25;
const isLinux = process.platform === "linux";

/** All groups that may still hold processes. */
export class ProcessGroups {
  /** Leader of each group → mark of its command. */
  readonly #marks = new Map<number, string>();

  /** Takes note of a command that runs as the leader of its own group. */
  add(leader: number, mark: string): void {
    this.#marks.set(leader, mark);
  }

  /** Whether processes of the command are still there; forgets it if there are none. */
  isAlive(leader: number): boolean {
    const mark = this.#marks.get(leader);
    if (mark === undefined) return false;
    const alive = isLinux ? membersOf(leader, mark).length > 0 : signalProcess(-leader, 0);
    if (!alive) this.#marks.delete(leader);
    return alive;
  }

  /** As `isAlive`, but what a sandbox itself consists of, which ends last, does not count. */
  hasPrograms(leader: number): boolean {
    const mark = this.#marks.get(leader);
    if (!isLinux || mark === undefined) return this.isAlive(leader);
    return membersOf(leader, mark).some((pid) => !["bwrap\n", ""].includes(readProcess(pid, "comm")));
  }

  /** Whether processes of any command are still there. */
  isAnyAlive(): boolean {
    return [...this.#marks.keys()].some((leader) => this.isAlive(leader));
  }

  /** Ends a command and all that it started: SIGTERM, then after 1.5 seconds SIGKILL. Resolves when they are gone. */
  async end(leader: number): Promise<void> {
    this.#signal(leader, "SIGTERM");
    for (let waitedMs = 0; this.isAlive(leader); waitedMs += POLL_MS) {
      if (waitedMs >= GRACE_MS) this.#signal(leader, "SIGKILL");
      if (waitedMs >= 2 * GRACE_MS) return;
      await delay(POLL_MS);
    }
  }

  /** Kills every command at once, without waiting: for the end of the process itself. */
  killAll(): void {
    for (const leader of this.#marks.keys()) this.#signal(leader, "SIGKILL");
    this.#marks.clear();
  }

  #signal(leader: number, signal: NodeJS.Signals): void {
    const mark = this.#marks.get(leader);
    if (mark === undefined) return;
    signalProcess(-leader, signal);
    if (isLinux) for (const pid of membersOf(leader, mark)) signalProcess(pid, signal);
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * The living processes of a command: those in its group, and those that left it but carry its mark. Dead ones that nobody has
 * collected do not count, although a signal to their group still succeeds.
 */
function membersOf(leader: number, mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      // After the name in parentheses: state, parent, group.
      const [state, , group] = readProcess(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
      if (!state || state === "Z" || state === "X") return false;
      return Number(group) === leader || readProcess(pid, "environ").split("\0").includes(`${MARK_VARIABLE}=${mark}`);
    });
}

function readProcess(pid: number, file: "stat" | "environ" | "comm"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
