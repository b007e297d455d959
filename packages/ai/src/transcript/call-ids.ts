// Gives each tool call an id that the target takes and that no other call of the history has. Ids are decided in the
// order of the calls and never looked back at, so a longer history keeps the ids of its beginning.
import { stableHash } from "../tools/stable-hash.ts";
import type { TargetRules } from "./target-rules.ts";

/** Hands out ids, once per call, in the order of the history. */
export function createCallIds(rules: TargetRules): (id: string) => string {
  const taken = new Set<string>();
  const occurrences = new Map<string, number>();
  return (id) => {
    const occurrence = occurrences.get(id) ?? 0;
    occurrences.set(id, occurrence + 1);
    let wireId = id;
    for (let attempt = 0; taken.has(wireId) || !rules.callId.test(wireId); attempt++) {
      wireId = rules.mintCallId(stableHash(`${id}\n${occurrence}\n${attempt}`));
    }
    taken.add(wireId);
    return wireId;
  };
}
