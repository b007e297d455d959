// rondo config: every setting that holds, and the file and line that it comes from; and what else a session begins with.
import { basename } from "node:path";
import { loadContext } from "../context/load-context.ts";
import type { Ending } from "../exit-codes.ts";
import { shownServer } from "../mcp/secrets.ts";
import { configuredExtensions } from "../settings/configured-extensions.ts";
import { type Layer, type Layers, readLayers, type SettingsPlaces } from "../settings/layers.ts";
import { lineOf } from "../settings/line-of.ts";
import type { FileSettings } from "../settings/settings-schema.ts";
import type { Output } from "../terminal/output.ts";

/** Lists the settings, then the files that were found, then what was left out, then the settings files that were looked for. */
export async function runConfig(places: SettingsPlaces, output: Output): Promise<Ending> {
  const all = await readLayers(places);
  const { layers, problems, project, isTrusted } = all;
  const seen = new Set<string>();
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer.file.settings))
      await showSetting(layer, name, value, seen, output);
  const found = findFiles(places, all);
  for (const { kind, name, path } of found.files) {
    const what = output.escape(`${kind}${name === "" ? "" : ` ${name}`}`);
    await output.write(`${what}  ${output.style("dim", output.escape(`(${path})`))}\n`);
  }
  for (const problem of [...problems, ...found.problems])
    await output.write(`${output.style("red", output.escape(problem))}\n`);
  for (const { name, file } of layers) {
    const state = file.text === "" ? " (not there)" : "";
    await output.write(`${output.style("dim", output.escape(`${name}: ${file.path}${state}`))}\n`);
  }
  if (project && !isTrusted)
    await output.writeForeign(`The .rondo of ${project.folder} is not used: it is not trusted. See rondo trust.\n`);
  return "done";
}

/** What a session begins with besides the settings: files that were found where they are looked for. */
function findFiles({ root, home, configFolder }: SettingsPlaces, layers: Layers) {
  const projectFolder = layers.isTrusted ? layers.project?.folder : undefined;
  const { instructions, skills, templates, problems } = loadContext({ root, home, configFolder, projectFolder });
  const extensions = configuredExtensions(layers, configFolder);
  return {
    problems,
    files: [
      ...extensions.map(({ path, layer }) => ({ kind: "extension", name: basename(path), path: `${layer}, ${path}` })),
      ...instructions.map(({ path }) => ({ kind: "instructions", name: "", path })),
      ...skills.map(({ name, path }) => ({ kind: "skill", name, path })),
      ...templates.map(({ name, path }) => ({ kind: "prompt", name: `/${name}`, path })),
    ],
  };
}

/** Lists add up; of other settings the first one counts. */
async function showSetting({ name, file }: Layer, key: string, value: unknown, seen: Set<string>, output: Output) {
  const isOverridden = seen.has(key) && !Array.isArray(value) && key !== "mcpServers";
  seen.add(key);
  const place = `${name}, ${file.path}:${lineOf(file.text, [key])}${isOverridden ? ", does not count" : ""}`;
  const shown = output.escape(`${key} = ${JSON.stringify(withoutSecrets(key, value))}`);
  await output.write(`${shown}  ${output.style("dim", output.escape(`(${place})`))}\n`);
}

/** Keys stand in what is said about servers. */
function withoutSecrets(key: string, value: unknown): unknown {
  if (key !== "mcpServers") return value;
  const servers = Object.entries(value as NonNullable<FileSettings["mcpServers"]>);
  return Object.fromEntries(servers.map(([name, settings]) => [name, shownServer(settings)]));
}
