// What tests of applications, of providers and of this repository need: models that follow a script, a judge of event sequences, a server
// on its bad days, and the contract that every provider keeps.
export type { ProviderContract, TestRunner } from "./contract-types.ts";
export { checkEventGrammar } from "./event-grammar.ts";
export { type HostileServer, hostileServer } from "./hostile-server.ts";
export { describeProviderContract } from "./provider-contract.ts";
export {
  type ScriptedBlock,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedRequest,
  type ScriptedStep,
  scriptedModel,
} from "./scripted-model.ts";
export { type Ending, type ServedMaterial, SITUATIONS, type Situation, type SituationName } from "./situations.ts";
