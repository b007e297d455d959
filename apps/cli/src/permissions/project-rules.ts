// Rules that a person gave for one project by answering "always". Kept with the person's own settings under the real path of the
// workspace, never inside it: what lies in a folder must not decide what may be done there.
import { realpathSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withFileLock } from "@rondo/ai/node";
import { UsageError } from "../exit-codes.ts";
import { writeAtomically } from "../tools/atomic-write.ts";
import { parseRule, type Rule } from "./rules.ts";

/** The content of the file: real path of a workspace → its rules. */
type Content = Record<string, string[]>;

/** The remembered rules of one workspace. */
export class ProjectRules {
  readonly #file: string;
  readonly #project: string;
  /** What was in the file when it was read. All of them allow. */
  readonly rules: readonly Rule[];

  private constructor(file: string, project: string, rules: Rule[]) {
    this.#file = file;
    this.#project = project;
    this.rules = rules;
  }

  /** Reads `permissions.json` in a folder; it need not exist. Rejects with a `UsageError` if it is damaged. */
  static async read(folder: string, root: string): Promise<ProjectRules> {
    const file = join(folder, "permissions.json");
    const project = realpathSync(root);
    const texts = (await readContent(file))[project] ?? [];
    return new ProjectRules(
      file,
      project,
      texts.map((text) => parseRule("allow", text)),
    );
  }

  /** Adds allowing rules, whoever else adds some meanwhile. Rejects if they cannot be written. */
  async add(texts: readonly string[]): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    await withFileLock(this.#file, async () => {
      const content = await readContent(this.#file);
      const known = content[this.#project] ?? [];
      const next = { ...content, [this.#project]: [...new Set([...known, ...texts])] };
      await writeAtomically(this.#file, Buffer.from(`${JSON.stringify(next, undefined, 2)}\n`));
    });
  }
}

async function readContent(file: string): Promise<Content> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    throw new UsageError(`${file} cannot be read (${code}).`);
  }
  const content = parse(text);
  if (!content) throw new UsageError(`${file} should hold an object of lists of rules by folder. Mend or remove it.`);
  return content;
}

function parse(text: string): Content | undefined {
  try {
    const content: unknown = JSON.parse(text);
    const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
    const areLists = (values: unknown[]) =>
      values.every((value) => Array.isArray(value) && value.every((each) => typeof each === "string"));
    return isObject && areLists(Object.values(content)) ? (content as Content) : undefined;
  } catch {
    return undefined;
  }
}
