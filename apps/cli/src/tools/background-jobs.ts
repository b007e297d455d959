// Commands that left something running in the background: what each was, where its output goes, and how to end it. One per
// session; a job whose processes have all ended stays in the list, so that its output can still be read.
import type { CommandOutput } from "./command-output.ts";
import type { ProcessGroups } from "./process-groups.ts";

/** One command with processes in the background. */
export interface BackgroundJob {
  /** 1, 2, 3… in the order in which they were started. */
  id: number;
  command: string;
  isRunning: boolean;
}

interface Entry {
  command: string;
  leader: number;
  output: CommandOutput;
}

/** The jobs of a session. */
export class BackgroundJobs {
  readonly #groups: ProcessGroups;
  readonly #entries: Entry[] = [];

  constructor(groups: ProcessGroups) {
    this.#groups = groups;
  }

  /** Takes note of a command that has returned while some of its processes run on. Gives its id. */
  add(entry: Entry): number {
    return this.#entries.push(entry);
  }

  list(): BackgroundJob[] {
    return this.#entries.map(({ command, leader }, index) => ({
      id: index + 1,
      command,
      isRunning: this.#groups.isAlive(leader),
    }));
  }

  /** All that a job has printed so far, the middle left out where it is long. Throws for an unknown id. */
  read(id: number): string {
    return this.#get(id).output.text();
  }

  /** Ends a job with all its processes. Resolves when they are gone. Rejects for an unknown id. */
  async stop(id: number): Promise<void> {
    await this.#groups.end(this.#get(id).leader);
  }

  #get(id: number): Entry {
    const entry = this.#entries[id - 1];
    if (!entry) throw new Error(`There is no job ${id}. The action list shows them.`);
    return entry;
  }
}
