// The process groups that commands of a session run in, so that each can be ended with everything in it, and all of them when
// the session ends. Also finds processes that left their group, by a mark in their environment, where /proc shows it.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Environment variable that marks every process of a command. */
export const MARK_VARIABLE = "RONDO_COMMAND";
/** How long a group may take to end by itself after SIGTERM. */
const GRACE_MS = 1500;
const POLL_MS = 25;

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
    const alive = signalGroup(leader, 0) || markedProcesses([mark]).length > 0;
    if (!alive) this.#marks.delete(leader);
    return alive;
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
    for (const leader of this.#marks.keys()) signalGroup(leader, "SIGKILL");
    for (const pid of markedProcesses([...this.#marks.values()])) signalProcess(pid, "SIGKILL");
    this.#marks.clear();
  }

  #signal(leader: number, signal: NodeJS.Signals): void {
    const mark = this.#marks.get(leader);
    if (mark === undefined) return;
    signalGroup(leader, signal);
    for (const pid of markedProcesses([mark])) signalProcess(pid, signal);
  }
}

function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  return signalProcess(-leader, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Processes that carry one of the marks. None where there is no /proc (macOS, Windows): there the group must do. */
function markedProcesses(marks: string[]): number[] {
  if (process.platform !== "linux" || marks.length === 0) return [];
  const wanted = new Set(marks.map((mark) => `${MARK_VARIABLE}=${mark}`));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).some((entry) => wanted.has(entry)) && !isZombie(pid));
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return true;
  }
}
