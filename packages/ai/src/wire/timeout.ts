// setTimeout without its trap: a delay beyond 2^31-1 ms fires at once, so longer ones are cut to that (24 days).

/** The longest delay that a timer takes. */
export const DELAY_MAX_MS = 2 ** 31 - 1;

/** `setTimeout` that takes any positive delay. */
export function setMaxTimeout(run: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(run, Math.min(Math.max(1, Math.ceil(delayMs)), DELAY_MAX_MS));
}
