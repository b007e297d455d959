// An engine's steps in memory, for tests that break the engine on purpose at an exact place.
import type { DurableSteps, MailboxMessage, PublishedEvent } from "../types.ts";

/** What outlives a simulated crash. */
export class MemoryStore {
  readonly records = new Map<string, unknown>();
  readonly inbox: MailboxMessage[] = [];
  readonly published: PublishedEvent[] = [];
  drained = 0;
  attempts = 0;
}

/** Called around each new record; may throw what an engine would. */
export type RecordGate = (moment: "before" | "after", name: string) => void;

/** Steps of one attempt on a store. */
export function memorySteps(store: MemoryStore, gate: RecordGate = () => {}): DurableSteps {
  store.attempts++;
  const run = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (store.records.has(name)) return structuredClone(store.records.get(name)) as T;
    const value = await work();
    gate("before", name);
    store.records.set(name, structuredClone(value));
    gate("after", name);
    return value;
  };
  return {
    runId: "memory",
    segment: 1,
    attempt: store.attempts,
    abort: new AbortController().signal,
    halt: new AbortController().signal,
    run,
    confirm: async () => {},
    reserve: () => {},
    drain: (name) =>
      run(name, async () => {
        const messages = store.inbox.slice(store.drained);
        store.drained = store.inbox.length;
        return messages;
      }),
    publish: (event) => {
      store.published.push(structuredClone(event));
    },
    flush: async () => {},
  };
}
