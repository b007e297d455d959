// Answers that must be JSON of a given shape: reads the schema, and judges an answer by it.
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { Type, validateToolArguments } from "@rondo/ai";
import { findJsonFault } from "@rondo/ai/node";
import { UsageError } from "../exit-codes.ts";

/** A JSON Schema. */
export type AnswerSchema = Record<string, unknown>;

/** Reads a schema from a file. Rejects with a `UsageError` if there is none in it. */
export async function readAnswerSchema(path: string): Promise<AnswerSchema> {
  const text = await readFile(path, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(
      code === "ENOENT" ? `There is no file ${path}.` : `The schema ${path} cannot be read (${code}).`,
    );
  });
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    const { line, column, problem } = findJsonFault(text, error);
    throw new UsageError(`The schema ${path} is not valid JSON: line ${line}, column ${column}: ${problem}.`);
  }
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) return schema as AnswerSchema;
  throw new UsageError(`${path} holds no JSON Schema, which is an object.`);
}

/** The answer as JSON on one line, or why it is not what the schema asks for. A fence of Markdown around the JSON is overlooked. */
export function judgeAnswer(text: string, schema: AnswerSchema): { json: string } | { problem: string } {
  const fenced = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text);
  let value: unknown;
  try {
    value = JSON.parse(fenced?.[1] ?? text);
  } catch (error) {
    return { problem: `it is no JSON (${(error as Error).message})` };
  }
  try {
    const parameters = Type.Object({ answer: Type.Unsafe(schema) });
    const call = { type: "toolCall" as const, id: "answer", name: "answer", arguments: { answer: value } };
    const { answer } = validateToolArguments({ name: "answer", description: "", parameters }, call);
    // Arguments of tools may be converted; an answer must fit as it is.
    if (!isDeepStrictEqual(answer, value)) return { problem: "it fits only after a conversion" };
  } catch (error) {
    const places = (error as Error).message.split("\n").filter((line) => line.startsWith("- "));
    return { problem: places.map((line) => line.slice(2)).join("; ") };
  }
  return { json: JSON.stringify(value) };
}
