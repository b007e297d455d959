// Prompt templates: Markdown files that are said by their name, `/review src`, with arguments put into them.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { readPlainText } from "../settings/plain-file.ts";
import { readFrontMatter } from "./front-matter.ts";

/** One template. */
export interface PromptTemplate {
  /** Without the slash. */
  name: string;
  /** Absolute path of its file. */
  path: string;
  description: string;
  /** What may follow the name, for people. */
  argumentHint: string | undefined;
  text: string;
}

/** The templates in folders. Of two with one name the first counts. */
export function readPromptTemplates(folders: string[]): { templates: PromptTemplate[]; problems: string[] } {
  const templates = new Map<string, PromptTemplate>();
  const problems: string[] = [];
  for (const path of folders.flatMap(markdownFiles)) {
    const name = basename(path, ".md");
    if (templates.has(name)) continue;
    try {
      const { fields, body } = readFrontMatter(readPlainText(path));
      const { description, "argument-hint": hint } = fields;
      templates.set(name, {
        name,
        path,
        description: typeof description === "string" ? description : firstLine(body),
        argumentHint: typeof hint === "string" ? hint : undefined,
        text: body.trim(),
      });
    } catch (error) {
      problems.push(`${path}: the prompt is left out: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return { templates: [...templates.values()], problems };
}

/**
 * A template with arguments in it: `$1` to `$9` are single arguments, `$ARGUMENTS` and `$@` all of them. Arguments are cut at
 * blanks; quotes keep them together.
 */
export function fillTemplate({ text }: PromptTemplate, argumentText: string): string {
  const parts = [...argumentText.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  return text.replace(/\$(?:ARGUMENTS\b|@|([1-9]))/g, (_whole, number?: string) =>
    number === undefined ? argumentText : (parts[Number(number) - 1] ?? ""),
  );
}

function markdownFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).sort();
    return names.filter((name) => /^[\w-]+\.md$/.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
