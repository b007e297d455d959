// Signals and the end of the process, seen from a session: whatever way the process ends, the commands that it started end too.
import type { Session } from "./create-session.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Why a run was cut short. */
export type Interruption = "interrupted" | "terminated";

/**
 * Interrupt, termination, hang-up and quit (Ctrl+\\) abort the run, which then ends in order. A second one ends the process at once,
 * unless it is a hang-up.
 *
 * @returns stops watching
 */
export function watchSignals(interruption: AbortController, session: Pick<Session, "close">): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    if (interruption.signal.aborted) {
      // A terminal that goes away is told of by the system and by the shell.
      if (signal === "SIGHUP") return;
      stop();
      session.close();
      process.kill(process.pid, signal);
    }
    const reason: Interruption = signal === "SIGINT" ? "interrupted" : "terminated";
    interruption.abort(reason);
  };
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off("exit", session.close);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.once("exit", session.close);
  return stop;
}
