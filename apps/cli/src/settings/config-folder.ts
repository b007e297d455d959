// Where a person's own settings, keys and models are kept.
import { join } from "node:path";

/** The folder: `RONDO_CONFIG`, else `rondo` in `XDG_CONFIG_HOME`, else `~/.config/rondo`. It need not exist. */
export function configFolder(env: Record<string, string | undefined>, home: string): string {
  return env["RONDO_CONFIG"] || join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "rondo");
}
