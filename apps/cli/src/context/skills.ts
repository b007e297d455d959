// Skills in the Agent Skills format (agentskills.io/specification): a folder with a SKILL.md, whose head says what it is for. The model
// sees names, descriptions and paths, and reads the rest when it needs it. A skill that breaks a rule of the format but can be used is
// used, and the mistake is told; `allowed-tools` of the head is not followed, since the person's rules alone allow something.
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { readPlainText } from "../settings/plain-file.ts";
import { readFrontMatter } from "./front-matter.ts";

/** One skill. */
export interface Skill {
  name: string;
  description: string;
  /** Absolute path of its SKILL.md. */
  path: string;
  /** Absolute path of its folder. */
  folder: string;
}

/** What was found, and what was left out and why. */
export interface FoundSkills {
  skills: Skill[];
  problems: string[];
}

const SKILLS_MAX = 200;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_CHARACTERS_MAX = 64;
const DESCRIPTION_CHARACTERS_MAX = 1024;

/** The skills in folders of skills. Of two with one name the first counts. */
export function readSkills(folders: string[]): FoundSkills {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const folder of folders.flatMap(subfolders).slice(0, SKILLS_MAX)) {
    const path = join(folder, "SKILL.md");
    try {
      const { fields } = readFrontMatter(readPlainText(path));
      const { name, description } = fields;
      if (typeof name !== "string" || typeof description !== "string" || name === "" || description === "")
        problems.push(`${path}: a skill needs a name and a description at its head, so it is left out.`);
      else if (!skills.has(name)) {
        const line = description.replace(/\s+/g, " ").trim();
        skills.set(name, { name, description: line.slice(0, DESCRIPTION_CHARACTERS_MAX), path, folder });
        problems.push(...mistakesIn(name, line, folder).map((mistake) => `${path}: ${mistake}`));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        problems.push(`${path}: the skill is left out: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return { skills: [...skills.values()], problems };
}

function mistakesIn(name: string, description: string, folder: string): string[] {
  const mistakes: string[] = [];
  if (!NAME.test(name) || name.length > NAME_CHARACTERS_MAX)
    mistakes.push(
      `the name of a skill has small letters, digits and single hyphens, at most ${NAME_CHARACTERS_MAX}; "${name}" has others.`,
    );
  else if (name !== basename(folder)) mistakes.push(`the skill is called ${name}, so its folder should be as well.`);
  if (description.length > DESCRIPTION_CHARACTERS_MAX)
    mistakes.push(`the description is cut after ${DESCRIPTION_CHARACTERS_MAX} characters.`);
  return mistakes;
}

function subfolders(folder: string): string[] {
  try {
    const names = readdirSync(folder).sort();
    return names
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false, bigint: true })?.isDirectory());
  } catch {
    return [];
  }
}
