// What tests of engines need: an agent that logs what it really does, audits, and steps in memory that break on demand.
export { auditEvents, auditRun, countInterrupted, type Expected, readLog, userTexts } from "./audit.ts";
export { type ConformanceCase, deepCases, processCases, quickCases, type Rig } from "./conformance.ts";
export { MemoryStore, memorySteps, type RecordGate } from "./memory-steps.ts";
export { type LogEntry, REHEARSAL_TOOLS, type RehearsalInput, rehearsalAgent } from "./rehearsal-agent.ts";
export { type CrashPoint, runWorkerProcess, WorkerProcess, type WorkerProcessOptions } from "./worker-process.ts";
