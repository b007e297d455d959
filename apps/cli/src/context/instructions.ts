// Instruction files: AGENTS.md, or CLAUDE.md where a folder has none. The person's own, then those of the project from the root
// of the repository down to the working folder. They are text for the model and nothing else.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { foldersDownTo } from "../settings/project.ts";

/** One file. */
export interface Instructions {
  path: string;
  text: string;
}

const NAMES = ["AGENTS.md", "CLAUDE.md"];
/** What is longer would crowd out the work; the rest is left out, with a mark. */
const CHARACTERS_MAX = 40_000;

/** The instructions that hold for a whole session, the most general first. */
export function readInstructions(root: string, configFolder: string): Instructions[] {
  return [configFolder, ...foldersDownTo(root)].map(instructionsIn).filter((found) => found !== undefined);
}

/** The instructions of one folder. */
export function instructionsIn(folder: string): Instructions | undefined {
  for (const name of NAMES) {
    const path = join(folder, name);
    const text = readText(path);
    if (text !== undefined && text !== "") return { path, text };
  }
  return undefined;
}

function readText(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    if (text.length <= CHARACTERS_MAX) return text;
    return `${text.slice(0, CHARACTERS_MAX)}\n[… cut here; read ${path} for the rest]`;
  } catch {
    return undefined;
  }
}
