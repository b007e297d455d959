// Who serves models, as rows of data. A quirk is a capability that shared code asks for; it stands in a row with its source, so that
// no vendor's name or address is ever in a condition elsewhere.
import type { ProviderRow } from "./row.ts";
import { HOSTS } from "./rows/hosts.ts";
import { LOCAL_SERVERS } from "./rows/local.ts";
import { MAKERS } from "./rows/makers.ts";

const ROWS: readonly ProviderRow[] = [...MAKERS, ...HOSTS, ...LOCAL_SERVERS];
const ROW_OF_ID = new Map(ROWS.map((row) => [row.id, row]));

/** All providers, in the order in which they are listed to people: makers of models, hosts, servers on one's own machine. */
export function providerRows(): readonly ProviderRow[] {
  return ROWS;
}

/** The row of a provider, or undefined for one that we do not know. */
export function providerRow(id: string): ProviderRow | undefined {
  return ROW_OF_ID.get(id);
}
