// How connections are set up, in the one place that every pool takes: the connection string.

/** How long a frozen worker's open transaction may hold the locks of its runs. DBOS's default of a minute delays recovery. */
const IDLE_TRANSACTION_MS = 3_000;
const SETTING = "idle_in_transaction_session_timeout";

/**
 * The connection string with a short limit for idle transactions, unless it sets one. As a start-up option and not through
 * DBOS's own setting, which sends a query of its own on each new connection, of which pg 8.23 warns on the console.
 */
export function connectionString(url: string): string {
  const withOptions = new URL(url);
  const options = withOptions.searchParams.get("options") ?? "";
  if (options.includes(SETTING)) return url;
  withOptions.searchParams.set("options", `${options} -c ${SETTING}=${IDLE_TRANSACTION_MS}`.trim());
  return withOptions.href;
}
