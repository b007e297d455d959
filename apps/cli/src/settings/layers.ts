// The settings files of a run: the person's own, and the project's if it is trusted. The project's wins; rules add up.
import { join } from "node:path";
import type { Rule } from "../permissions/rules.ts";
import { findProject, type Project } from "./project.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";
import type { FileSettings } from "./settings-schema.ts";
import { Trust } from "./trust.ts";

/** Whose settings a file holds. */
export type LayerName = "yours" | "project";

/** One file. */
export interface Layer {
  name: LayerName;
  file: SettingsFile;
}

/** The settings of a run. */
export interface Layers {
  /** The one that wins first. */
  layers: Layer[];
  settings: FileSettings;
  rules: Rule[];
  problems: string[];
  /** Whether something that was to forbid or to ask could not be read. */
  isUncertain: boolean;
  /** What the project brings along. */
  project: Project | undefined;
  isTrusted: boolean;
}

/** Where things are. */
export interface SettingsPlaces {
  root: string;
  home: string;
  configFolder: string;
  dataFolder: string;
}

/** Reads all files. Rejects with a `UsageError` if one is no JSON. */
export async function readLayers({ root, home, configFolder, dataFolder }: SettingsPlaces): Promise<Layers> {
  const project = findProject(root, home);
  const isTrusted = project !== undefined && new Trust(dataFolder).covers(project);
  const paths: [LayerName, string][] = [
    ...(isTrusted ? [["project", join(project.folder, ".rondo", "settings.json")] as [LayerName, string]] : []),
    ["yours", join(configFolder, "settings.json")],
  ];
  const layers = await Promise.all(paths.map(async ([name, path]) => ({ name, file: await readSettingsFile(path) })));
  const settings: FileSettings = {};
  for (const { file } of layers.toReversed())
    Object.assign(settings, file.settings, { mcpServers: { ...settings.mcpServers, ...file.settings.mcpServers } });
  return {
    layers,
    settings,
    rules: layers.flatMap(({ file }) => file.rules),
    problems: layers.flatMap(({ file }) => file.problems),
    isUncertain: layers.some(({ file }) => file.isUncertain),
    project,
    isTrusted,
  };
}
