// The public surface: one function that connects to a database, and the engine that it gives.
export { DbosEngine, type DbosEngineOptions, dbosEngine } from "./dbos-engine.ts";
