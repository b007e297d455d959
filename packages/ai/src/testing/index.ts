// What tests of applications and of this repository need: models that follow a script.
export {
  type ScriptedBlock,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedRequest,
  type ScriptedStep,
  scriptedModel,
} from "./scripted-model.ts";
