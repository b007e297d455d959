// rondo doctor: what is found, what is missing, and how to mend it. Looks only; sends nothing but a question to local servers.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describeAuth, listModels } from "@rondo/ai";
import { type Ending, UsageError } from "../exit-codes.ts";
import { describeNetwork, readNetworkSettings } from "../network/network-settings.ts";
import { countOf } from "../presentation/count-of.ts";
import type { ModelSources } from "../settings/model-sources.ts";
import { selectModel } from "../settings/select-model.ts";
import { readSettingsFile } from "../settings/settings-file.ts";
import type { Output } from "../terminal/output.ts";
import { findRipgrep } from "../tools/ripgrep.ts";
import { sandboxProblem } from "../tools/sandbox.ts";

const LOCAL_TIMEOUT_MS = 1000;
const NODE_MINIMUM = "20.19.0";

/** Something that was looked at. */
interface Finding {
  good: boolean;
  /** Its absence is no fault. */
  optional?: boolean;
  text: string;
}

/**
 * Prints what was found: good things are marked ✔, what may well be absent –, faults ✖, the last two with the remedy.
 *
 * @param damages what is wrong with files that the sources had to be made without
 * @param folder the one with the settings
 */
export async function runDoctor(
  sources: ModelSources,
  damages: readonly string[],
  folder: string,
  output: Output,
): Promise<Ending> {
  const write = async ({ good, optional = false, text }: Finding) => {
    const mark = good ? output.style("green", "✔") : optional ? output.style("dim", "–") : output.style("red", "✖");
    await output.write(`${mark} ${output.escape(text)}\n`);
  };
  await write(nodeVersion(process.version));
  await write(bash());
  await write(await ripgrep(sources.env));
  await write(await sandbox(sources.env));
  await write(await settings(folder));
  for (const text of damages) await write({ good: false, text });
  await write(network(sources.env));
  for (const finding of await providers(sources)) await write(finding);
  await output.write(
    "\nA key comes from the environment, or from a file of your own: rondo auth set <provider> < file\n",
  );
  const wish = { model: undefined, provider: undefined, baseUrl: undefined, thinking: undefined };
  const { model, reason } = await selectModel(wish, sources);
  await output.write(`Without --model rondo uses ${output.escape(reason ?? `${model.provider}/${model.id}.`)}\n`);
  return "done";
}

/** Whether a version of Node is new enough. */
export function nodeVersion(version: string): Finding {
  const numbers = (text: string) => text.replace(/^v/, "").split(".").map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [majorMinimum = 0, minorMinimum = 0] = numbers(NODE_MINIMUM);
  const good = major > majorMinimum || (major === majorMinimum && minor >= minorMinimum);
  return { good, text: good ? `Node ${version}` : `Node ${version} is too old. Install ${NODE_MINIMUM} or later.` };
}

function bash(): Finding {
  try {
    const [line = ""] = execFileSync("bash", ["--version"], { encoding: "utf8", stdio: "pipe" }).split("\n");
    return { good: true, text: line };
  } catch {
    return { good: false, text: "bash is not on the path, so commands cannot be run. Install it." };
  }
}

async function ripgrep(env: ModelSources["env"]): Promise<Finding> {
  const path = await findRipgrep(env);
  return path === undefined
    ? { good: false, text: "ripgrep is not found, so grep and find are slower. Install it (apt install ripgrep)." }
    : { good: true, text: `ripgrep: ${path}` };
}

async function sandbox(env: ModelSources["env"]): Promise<Finding> {
  const problem = await sandboxProblem(env);
  return { good: problem === undefined, text: problem ?? "bubblewrap: commands can run in a sandbox (--sandbox)" };
}

function network(env: ModelSources["env"]): Finding {
  try {
    const text =
      describeNetwork(readNetworkSettings(env)) ?? "Network: no proxy and no certificates of your own are set";
    return { good: true, text };
  } catch (error) {
    return { good: false, text: (error as Error).message };
  }
}

async function settings(folder: string): Promise<Finding> {
  try {
    const { settings, problems } = await readSettingsFile(join(folder, "settings.json"));
    if (problems.length > 0) return { good: false, text: problems.join(" ") };
    const fields = Object.keys(settings);
    return { good: true, text: `Settings in ${folder}: ${fields.length > 0 ? fields.join(", ") : "none"}` };
  } catch (error) {
    if (error instanceof UsageError) return { good: false, text: error.message };
    throw error;
  }
}

/** Providers with a key and local servers that answer; the usual ones also if they have none. */
async function providers({ catalog, env, store }: ModelSources): Promise<Finding[]> {
  const findings = await Promise.all(
    catalog.getProviders().map(async (id): Promise<Finding | undefined> => {
      const row = catalog.getProvider(id);
      if (!row) return undefined;
      if (row.liveModels && row.quirks?.keyless) {
        const { models } = await listModels(row, { env, timeoutMs: LOCAL_TIMEOUT_MS });
        return models && { good: true, text: `${row.name}: ${countOf(models.length, "model")}` };
      }
      const { usable, source, summary } = await describeAuth(row, { env, store });
      if (source === undefined && !row.makesModels) return undefined;
      return { good: usable, optional: source === undefined, text: summary };
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}
