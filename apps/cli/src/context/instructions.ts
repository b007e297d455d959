// Instruction files: AGENTS.md, or CLAUDE.md where a folder has none. The person's own, then those of the project from the root
// of the repository down to the working folder. They are text for the model and nothing else.
import { join } from "node:path";
import { pathInside, realPath } from "../permissions/path-scope.ts";
import { readPlainFile } from "../settings/plain-file.ts";
import { foldersDownTo, repositoryRoot } from "../settings/project.ts";

/** One file. */
export interface Instructions {
  path: string;
  text: string;
}

const NAMES = ["AGENTS.md", "CLAUDE.md"];
/** What is longer would crowd out the work; the rest is left out, with a mark. */
const CHARACTERS_MAX = 40_000;
/** Characters of UTF-8 have four bytes at most. */
const BYTES_MAX = 4 * CHARACTERS_MAX;

/** What was found, and what was left out and why. */
export interface FoundInstructions {
  instructions: Instructions[];
  problems: string[];
}

/** The instructions that hold for a whole session, the most general first. */
export function readInstructions(root: string, configFolder: string): FoundInstructions {
  const problems: string[] = [];
  const tell = (problem: string) => problems.push(problem);
  const repository = repositoryRoot(root);
  const found = [
    instructionsIn(configFolder, undefined, tell),
    ...foldersDownTo(root).map((folder) => instructionsIn(folder, repository, tell)),
  ];
  return { instructions: found.filter((each) => each !== undefined), problems };
}

/**
 * The instructions of one folder.
 *
 * @param within the project, which their file must be in: a link in a folder that was only cloned may lead to the person's keys, and
 *   the text goes to the model. Undefined for the person's own folder.
 */
export function instructionsIn(
  folder: string,
  within: string | undefined,
  onProblem?: (problem: string) => void,
): Instructions | undefined {
  for (const name of NAMES) {
    const path = join(folder, name);
    try {
      if (within !== undefined && pathInside(within, realPath(path)) === undefined)
        throw new Error("it is a link that leads out of the project.");
      const text = readText(path);
      if (text !== "") return { path, text };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "ENOTDIR") onProblem?.(`${path} is left out: ${message}`);
    }
  }
  return undefined;
}

function readText(path: string): string {
  const { bytes, isCut } = readPlainFile(path, BYTES_MAX);
  const text = bytes.toString("utf8").trim();
  if (!isCut && text.length <= CHARACTERS_MAX) return text;
  return `${text.slice(0, CHARACTERS_MAX)}\n[… cut here; read ${path} for the rest]`;
}
