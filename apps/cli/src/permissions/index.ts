// The permission engine for programs of other people: the public entry `rondo/permissions`. docs/permissions.md shows its use.
export { type Decision, decide, type PermissionSettings } from "./engine.ts";
export {
  type AskPerson,
  type PermissionAnswer,
  PermissionGate,
  type PermissionGateOptions,
  type Refusal,
} from "./gate.ts";
export { parseRule, type Rule, type Verdict } from "./rules.ts";
