// JSON mode: one event a line on standard output, after a first line that says what the session is.
import type { AgentEvent } from "@rondo/agent";
import type { Model } from "@rondo/ai";
import { formatLine, withoutPartials } from "../presentation/json-lines.ts";
import type { Output } from "../terminal/output.ts";

/** Version of the lines. It rises when a reader of the old ones would break. */
export const JSON_VERSION = 1;

/** The first line of the output. */
export function sessionLine(model: Model, root: string): string {
  return formatLine({
    type: "session",
    version: JSON_VERSION,
    model: `${model.provider}/${model.id}`,
    workspace: root,
  });
}

/** Makes a listener that writes a run as lines of JSON. */
export function createJsonWriter(output: Output): (event: AgentEvent) => Promise<void> {
  return (event) => output.write(formatLine(withoutPartials(event)));
}
