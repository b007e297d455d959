// Where what rondo keeps by itself is kept: sessions, and which folders are trusted.
import { join } from "node:path";

/** The folder: `RONDO_DATA`, else `rondo` in `XDG_DATA_HOME`, else `~/.local/share/rondo`. It need not exist. */
export function dataFolder(env: Record<string, string | undefined>, home: string): string {
  return env["RONDO_DATA"] || join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "rondo");
}
