// Reads a user's models.json. A mistake in it must not cost a session, so it is refused with all that is wrong, each with the place.
import { readFile } from "node:fs/promises";
import type { ModelOverrides } from "../overrides.ts";
import { checkOverrides } from "../overrides-check.ts";
import { findJsonFault } from "./json-fault.ts";

/** A models.json that cannot be used. The message names the file and each problem; `problems` has them one by one. */
export class ModelOverridesError extends Error {
  override readonly name = "ModelOverridesError";
  readonly path: string;
  readonly problems: readonly string[];

  constructor(path: string, problems: readonly string[], options?: ErrorOptions) {
    super(`${path} cannot be used:\n${problems.map((problem) => `  ${problem}`).join("\n")}`, options);
    this.path = path;
    this.problems = problems;
  }
}

/**
 * The overrides in a models.json, for `createCatalog({ overrides })`; undefined if there is no such file. Rejects with a
 * `ModelOverridesError` if the file is no JSON or says something that has no meaning.
 */
export async function loadModelOverrides(path: string): Promise<ModelOverrides | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const { line, column, problem } = findJsonFault(text, error);
    throw new ModelOverridesError(path, [`line ${line}, column ${column}: not valid JSON (${problem})`], {
      cause: error,
    });
  }
  const problems = checkOverrides(content);
  if (problems.length > 0) throw new ModelOverridesError(path, problems);
  return content as ModelOverrides;
}
