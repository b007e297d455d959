// A journal worker in a process of its own.
import { type JournalEngineOptions, journalEngine } from "@rondo/durable";
import { runWorkerProcess } from "@rondo/durable/testing";

await runWorkerProcess((options) => journalEngine(options as JournalEngineOptions));
