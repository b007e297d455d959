// Skills in the Agent Skills format: a folder with a SKILL.md, whose head says what it is for. The model sees names, descriptions and
// paths, and reads the rest when it needs it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
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

/** The skills in folders of skills. Of two with one name the first counts. */
export function readSkills(folders: string[]): FoundSkills {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const folder of folders.flatMap(subfolders).slice(0, SKILLS_MAX)) {
    const path = join(folder, "SKILL.md");
    try {
      const { fields } = readFrontMatter(readFileSync(path, "utf8"));
      const { name, description } = fields;
      if (typeof name !== "string" || typeof description !== "string" || name === "" || description === "")
        problems.push(`${path}: a skill needs a name and a description at its head, so it is left out.`);
      else if (!skills.has(name))
        skills.set(name, { name, description: description.replace(/\s+/g, " ").trim(), path, folder });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        problems.push(`${path}: the skill is left out: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return { skills: [...skills.values()], problems };
}

function subfolders(folder: string): string[] {
  try {
    const names = readdirSync(folder).sort();
    return names
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  } catch {
    return [];
  }
}
