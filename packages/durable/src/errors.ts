// What can go wrong around a run, as opposed to inside it: failures inside are messages of the conversation.

/** There is no run of that name in this store. */
export class UnknownRunError extends Error {
  override readonly name = "UnknownRunError";

  constructor(runId: string) {
    super(`There is no run "${runId}" here. Check the name and the store, or submit it first.`);
  }
}

/** Events were asked for after a position that is not among those of the run. */
export class UnknownPositionError extends Error {
  override readonly name = "UnknownPositionError";

  constructor(runId: string, position: string) {
    super(
      `The events of the run "${runId}" have no position "${position}". Use the position of an event of this run, or none to read from the beginning.`,
    );
  }
}

/** The name is taken by a run of another agent or with another input. */
export class RunConflictError extends Error {
  override readonly name = "RunConflictError";

  constructor(runId: string) {
    super(`A run "${runId}" exists already, with another agent or input. Choose another name.`);
  }
}

/** A run was given up by its engine. */
export class RunFailedError extends Error {
  override readonly name = "RunFailedError";

  constructor(runId: string, why: string, options?: ErrorOptions) {
    super(`The run "${runId}" has failed: ${why}`, options);
  }
}

/** The engine takes a run away from this process; another one, or a later one, goes on with it. */
export class SuspendedError extends Error {
  override readonly name = "SuspendedError";

  constructor(runId: string, options?: ErrorOptions) {
    super(`The run "${runId}" was suspended here and waits to be taken up again.`, options);
  }
}

/** The code does something else than it did when the run was recorded. */
export class NondeterminismError extends Error {
  override readonly name = "NondeterminismError";

  constructor(runId: string, what: string) {
    super(
      `The run "${runId}" cannot be replayed: ${what}. Let the version that began it finish it, or move what differs into a recorded step.`,
    );
  }
}

/** Whether a run can have this name, which can neither leave the store nor confuse it. */
export function isRunId(name: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(name);
}

/** Refuses names that no run can have. */
export function requireRunId(runId: string): void {
  if (isRunId(runId)) return;
  throw new Error(
    `"${runId}" cannot name a run: use up to 100 letters, digits, "_", "-" and ".", the first of them no dot.`,
  );
}
