// rondo models: what can be used now, or what a text may mean.
import type { Model } from "@rondo/ai";
import { DEMO_MODEL } from "../demo/model.ts";
import { type Ending, UsageError } from "../exit-codes.ts";
import { usableModels } from "../models/usable-models.ts";
import type { ModelSources } from "../settings/model-sources.ts";
import type { Output } from "../terminal/output.ts";

const NOTHING_USABLE =
  "rondo: No key was found, and no local server answers: see rondo doctor. rondo models <text> looks through all.\n";

/** Lists models, one a line: name, context window, price of a million tokens in and out. What else is to be said goes to `hints`. */
export async function runModels(
  words: string[],
  sources: ModelSources,
  output: Output,
  hints: Output,
): Promise<Ending> {
  const query = words.join(" ");
  const models =
    query === "" ? await usableModels(sources) : sources.catalog.findModels(query).map(({ model }) => model);
  const listed = models.filter((model) => !model.unlisted || query === "");
  if (listed.length === 0) throw new UsageError(`No model fits "${query}".`);
  const names = listed.map((model) => `${model.provider}/${model.id}`);
  const width = Math.max(...names.map((name) => name.length));
  for (const [index, model] of listed.entries()) {
    const details = output.style("dim", describeModel(model));
    await output.write(`${output.escape(names[index] ?? "").padEnd(width)}  ${details}\n`);
  }
  if (listed.length === 1 && listed[0] === DEMO_MODEL) await hints.write(NOTHING_USABLE);
  return "done";
}

function describeModel({ api, contextWindow, cost, reasoning, name }: Model): string {
  if (api === DEMO_MODEL.api) return name;
  const window = contextWindow === undefined ? "" : `${Math.round(contextWindow / 1000)}k context`;
  const price = cost.input === undefined ? "" : `$${cost.input} in, $${cost.output ?? "?"} out`;
  return [window, price, reasoning ? "thinks" : ""].filter((part) => part !== "").join(", ");
}
