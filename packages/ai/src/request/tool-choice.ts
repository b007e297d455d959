// Which tool a model may or must call, as far as a request can say it. A choice of what is not on offer would be refused.
import type { RequestInput } from "../protocol.ts";
import type { ConvertedTools } from "../tools/schema-dialect.ts";
import type { ToolChoice } from "../types.ts";
import type { Diagnostics } from "./diagnostics.ts";

/** The choice with the tool's name on the wire; undefined if there is none to send. What cannot be sent is told. */
export function sendableChoice(
  { model, options }: RequestInput,
  { tools, names }: ConvertedTools,
  diagnostics: Diagnostics,
): ToolChoice | undefined {
  const { toolChoice: choice } = options;
  if (choice === undefined) return undefined;
  const chosen = typeof choice === "object" ? names.toWire(choice.name) : undefined;
  if (chosen !== undefined && !tools.some((tool) => tool.name === chosen)) {
    diagnostics.ignored("toolChoice", model, "there is no tool of that name");
    return undefined;
  }
  if (tools.length === 0) {
    if (choice === "required") diagnostics.ignored("toolChoice", model, "there are no tools");
    return undefined;
  }
  if (model.quirks?.supportsToolChoice === false) {
    if (choice !== "auto") diagnostics.ignored("toolChoice", model);
    return undefined;
  }
  if (isForcedChoice(choice) && model.quirks?.supportsForcedToolChoice === false) {
    diagnostics.changed("toolChoice", `${model.id} cannot be forced to call a tool, so it decides itself`);
    return "auto";
  }
  return chosen === undefined ? choice : { name: chosen };
}

/** Whether a choice leaves the model no answer but a call. */
export function isForcedChoice(choice: ToolChoice | undefined): boolean {
  return choice === "required" || (typeof choice === "object" && choice !== null);
}
