// A DBOS worker in a process of its own.
import { runWorkerProcess } from "@rondo/durable/testing";
import { type DbosEngineOptions, dbosEngine } from "@rondo/durable-dbos";

await runWorkerProcess((options) => dbosEngine(options as DbosEngineOptions));
