// Which extensions the settings come to: the modules in the extensions folders, and those that the settings files name; the person's,
// and the project's if it is trusted.
import { isAbsolute, join, resolve } from "node:path";
import { modulesIn } from "../extensions/load-extensions.ts";
import type { LayerName, Layers } from "./layers.ts";

/** A module that will be loaded, and where it is named. */
export interface ConfiguredExtension {
  /** Absolute path. */
  path: string;
  layer: LayerName;
}

/** All of them, in the order in which they are loaded. */
export function configuredExtensions(
  { layers, project, isTrusted }: Layers,
  configFolder: string,
): ConfiguredExtension[] {
  const extensionsOf = (layer: LayerName, folder: string): ConfiguredExtension[] => {
    const listed = layers.find(({ name }) => name === layer)?.file.settings.extensions ?? [];
    const named = listed.map((path) => (isAbsolute(path) ? path : resolve(folder, path)));
    return [...modulesIn(join(folder, "extensions")), ...named].map((path) => ({ path, layer }));
  };
  return [
    ...extensionsOf("yours", configFolder),
    ...(project && isTrusted ? extensionsOf("project", join(project.folder, ".rondo")) : []),
  ];
}
