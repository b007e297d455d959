// What a session knows besides the conversation: instructions, skills and prompt templates, from the person and from the project.
// What a project brings along counts only if it is trusted; instruction files are plain text for the model and always count.
import { join } from "node:path";
import type { Rule } from "../permissions/rules.ts";
import { type Instructions, readInstructions } from "./instructions.ts";
import { type PromptTemplate, readPromptTemplates } from "./prompt-templates.ts";
import { readSkills, type Skill } from "./skills.ts";

/** What was found. */
export interface SessionContext {
  instructions: Instructions[];
  skills: Skill[];
  templates: PromptTemplate[];
  /** Lets the model read the skills that lie outside of the workspace. */
  rules: Rule[];
  problems: string[];
}

/** Where to look. */
export interface ContextPlaces {
  root: string;
  configFolder: string;
  home: string;
  /** The trusted project; undefined if there is none. */
  projectFolder: string | undefined;
}

/** Looks everywhere. Never throws: what cannot be read is left out and named. */
export function loadContext({ root, configFolder, home, projectFolder }: ContextPlaces): SessionContext {
  const own = (name: string) => (projectFolder === undefined ? [] : [join(projectFolder, ".rondo", name)]);
  const shared = [join(home, ".agents", "skills")];
  if (projectFolder !== undefined) shared.unshift(join(projectFolder, ".agents", "skills"));
  const { skills, problems } = readSkills([...own("skills"), join(configFolder, "skills"), ...shared]);
  const { instructions, problems: instructionProblems } = readInstructions(root, configFolder);
  const prompts = readPromptTemplates([...own("prompts"), join(configFolder, "prompts")]);
  return {
    instructions,
    skills,
    templates: prompts.templates,
    rules: skills.map(({ folder }): Rule => {
      const pattern = `${folder}/**`;
      return { verdict: "allow", tool: "read", pattern, text: `read(${pattern})` };
    }),
    problems: [...instructionProblems, ...problems, ...prompts.problems],
  };
}
