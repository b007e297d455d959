// rondo models: what can be used now, or what a text may mean. With --refresh, the list of all of them as it is today.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { listModels, type Model } from "@rondo/ai";
import { DEMO_MODEL } from "../demo/model.ts";
import { type Ending, UsageError } from "../exit-codes.ts";
import { usableModels } from "../models/usable-models.ts";
import { countOf } from "../presentation/count-of.ts";
import type { ModelSources } from "../settings/model-sources.ts";
import type { Output } from "../terminal/output.ts";

const NOTHING_USABLE =
  "rondo: No key was found, and no local server answers: see rondo doctor. rondo models <text> looks through all.\n";

/** Changes that are named one by one; the others are counted. */
const CHANGES_SHOWN = 20;

/** Lists models, or refreshes what is known of them in `folder`. What is to be said besides goes to `hints`. */
export async function runModels(
  operands: string[],
  sources: ModelSources,
  folder: string,
  output: Output,
  hints: Output,
): Promise<Ending> {
  const { words, isRefresh } = readOperands(operands);
  return isRefresh ? refresh(words, folder, output) : list(words.join(" "), sources, output, hints);
}

function readOperands(args: string[]): { words: string[]; isRefresh: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { refresh: { type: "boolean" } },
      allowPositionals: true,
    });
    const isRefresh = values.refresh === true;
    if (!isRefresh || positionals.length <= 1) return { words: positionals, isRefresh };
  } catch {
    // Told below.
  }
  throw new UsageError("Write rondo models [text] or rondo models --refresh [url or file].");
}

/** Takes a list in the format of models.dev, says what it changes, and has it used from now on. */
async function refresh([source]: string[], folder: string, output: Output): Promise<Ending> {
  const { refreshCatalog } = await import("@rondo/ai/node");
  if (source !== undefined && !/^https?:/.test(source) && !existsSync(source))
    throw new UsageError(`There is no file ${source}. A list from elsewhere needs its whole address: https://….`);
  const { changes, catalog } = await refreshCatalog({ directory: folder, ...(source && { sources: [source] }) }).catch(
    (error: Error) => {
      throw new UsageError(`The list of models stays as it was: ${error.message}`, "modelError");
    },
  );
  for (const change of changes.slice(0, CHANGES_SHOWN)) await output.write(`${output.escape(change)}\n`);
  if (changes.length > CHANGES_SHOWN) await output.write(`… and ${changes.length - CHANGES_SHOWN} more\n`);
  const count = catalog.reduce((sum, { models }) => sum + models.length, 0);
  const changed = countOf(changes.length, "change");
  await output.write(
    `${changed} (+ new, ~ changed, - gone); known now: ${countOf(count, "model")} of ${countOf(catalog.length, "provider")}.\n` +
      `They are kept in ${output.escape(folder)}. Remove it to have those that come with rondo.\n`,
  );
  return "done";
}

/** What a text may mean. */
const meantBy = (query: string, { catalog }: ModelSources): Model[] =>
  catalog.findModels(query).flatMap(({ model }) => (model.unlisted ? [] : [model]));

/** All models of a provider, by its id; undefined for another text. */
async function ofProvider(query: string, { catalog, env }: ModelSources): Promise<Model[] | undefined> {
  const row = catalog.getProvider(query.replace(/\/$/, ""));
  if (!row) return undefined;
  if (!row.liveModels) return catalog.getModels(row.id).filter((model) => !model.deprecated);
  const { models, error } = await listModels(row, { env });
  if (error !== undefined) throw new UsageError(error, "modelError");
  return models;
}

/** One model a line: name, context window, price of a million tokens in and out. */
async function list(query: string, sources: ModelSources, output: Output, hints: Output): Promise<Ending> {
  const listed =
    query === "" ? await usableModels(sources) : ((await ofProvider(query, sources)) ?? meantBy(query, sources));
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
