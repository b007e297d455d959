// rondo auth: where keys are found, and the file that keeps them. A key is never shown and never taken from the command line,
// where other users of the machine could see it.
import type { Readable } from "node:stream";
import { describeAuth } from "@rondo/ai";
import { type Ending, UsageError } from "../exit-codes.ts";
import type { ModelSources } from "../settings/model-sources.ts";
import type { Output } from "../terminal/output.ts";

const KEY_CHARACTERS_MAX = 10_000;

/** Shows, sets or removes keys. */
export async function runAuth(
  [action, provider, ...rest]: string[],
  sources: ModelSources,
  output: Output,
  input: Readable & { isTTY?: boolean },
): Promise<Ending> {
  if (action === undefined) return showKeys(sources, output);
  const isKnown = action === "set" || action === "remove";
  if (!isKnown || provider === undefined || rest.length > 0)
    throw new UsageError("Write rondo auth, rondo auth set <provider> or rondo auth remove <provider>.");
  const row = sources.catalog.getProvider(provider);
  if (!row) throw new UsageError(`There is no provider ${provider}. rondo doctor lists them.`);
  if (action === "remove") {
    const removed = await sources.store.delete(provider);
    await output.write(
      removed ? `The key for ${row.name} is removed.\n` : `There was no key for ${row.name} in the file.\n`,
    );
    return "done";
  }
  if (input.isTTY)
    throw new UsageError(`Pipe the key in, so that it is in no history: rondo auth set ${provider} < file`);
  await sources.store.set(provider, await readKey(input));
  await output.write(`The key for ${row.name} is kept.\n`);
  return "done";
}

async function showKeys({ catalog, env, store }: ModelSources, output: Output): Promise<Ending> {
  let found = 0;
  for (const id of catalog.getProviders()) {
    const row = catalog.getProvider(id);
    if (!row) continue;
    const { source, summary } = await describeAuth(row, { env, store });
    if (source === undefined) continue;
    found += 1;
    await output.write(`${output.escape(summary)}\n`);
  }
  if (found === 0) await output.write("No key was found.\n");
  await output.write(
    "Further keys: set an environment variable (rondo doctor names them), or rondo auth set <provider>.\n",
  );
  return "done";
}

async function readKey(input: Readable): Promise<string> {
  let text = "";
  for await (const part of input) {
    text += String(part);
    if (text.length > KEY_CHARACTERS_MAX)
      throw new UsageError("What came through standard input is too long for a key.");
  }
  const key = text.trim();
  if (key === "" || /\s/.test(key)) throw new UsageError("A key is one word; what came through standard input is not.");
  return key;
}
