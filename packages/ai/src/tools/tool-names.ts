// Names that every API takes for tools whose own names it would refuse, and the way back. Deterministic; two tools never
// share a name on the wire; a name that is fine as it is stays.
import { stableHash } from "./stable-hash.ts";

/** Longest tool name that Anthropic and OpenAI take (`^[a-zA-Z0-9_-]{1,64}$`); Gemini allows the same length. */
const NAME_LENGTH_MAX = 64;

/** Both directions of the names of one request. */
export interface ToolNames {
  /** The name to send. Also cleans a name that is in no tool list, such as that of an old call in the history. */
  toWire(name: string): string;
  /** The tool's own name for one that a model used; a name that was never sent comes back unchanged. */
  fromWire(wireName: string): string;
}

/**
 * Cleans the names of a request's tools. With `letterFirst`, names also start with a letter or an underscore, as Gemini
 * demands.
 */
export function cleanToolNames(names: readonly string[], options: { letterFirst?: boolean } = {}): ToolNames {
  const wireOf = new Map<string, string>();
  const nameOf = new Map<string, string>();
  const remember = (name: string, wireName: string) => {
    wireOf.set(name, wireName);
    nameOf.set(wireName, name);
    return wireName;
  };
  const toWire = (name: string): string => {
    const known = wireOf.get(name);
    if (known !== undefined) return known;
    let wireName = cleaned(name, options.letterFirst === true);
    for (let attempt = 0; nameOf.has(wireName); attempt++) {
      const suffix = `_${stableHash(attempt === 0 ? name : `${name}#${attempt}`).slice(-8)}`;
      wireName = `${cleaned(name, options.letterFirst === true).slice(0, NAME_LENGTH_MAX - suffix.length)}${suffix}`;
    }
    return remember(name, wireName);
  };

  // Names that need no cleaning go first, so that no cleaned name takes theirs.
  for (const name of names) if (cleaned(name, options.letterFirst === true) === name) toWire(name);
  for (const name of names) toWire(name);
  return { toWire, fromWire: (wireName) => nameOf.get(wireName) ?? wireName };
}

function cleaned(name: string, letterFirst: boolean): string {
  let wireName = name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, NAME_LENGTH_MAX);
  if (wireName === "") wireName = "tool";
  if (letterFirst && !/^[a-zA-Z_]/.test(wireName)) wireName = `_${wireName}`.slice(0, NAME_LENGTH_MAX);
  return wireName;
}
