// The stream function for those who pass none. It is the one piece of state of this module, set by the application and
// by nobody else: the loop itself knows no provider.
import type { StreamFn } from "./types.ts";

let defaultStreamFn: StreamFn | undefined;

/** Sets the stream function for agents and loops that are given none, such as `streamSimple`. `undefined` unsets it. */
export function setDefaultStreamFn(streamFn: StreamFn | undefined): void {
  defaultStreamFn = streamFn;
}

/** The given stream function or the default. Throws if there is neither, since that is a mistake in the program. */
export function resolveStreamFn(streamFn: StreamFn | undefined): StreamFn {
  const resolved = streamFn ?? defaultStreamFn;
  if (resolved) return resolved;
  throw new Error(
    "There is no stream function to call a model with. Pass streamFn, or call setDefaultStreamFn(streamSimple) once.",
  );
}
