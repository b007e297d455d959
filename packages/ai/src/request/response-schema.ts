// The schema of a structured answer as OpenAI's two APIs take it.
import { convertSchema } from "../tools/schema-dialect.ts";
import type { StreamOptions } from "../types.ts";
import type { Diagnostics } from "./diagnostics.ts";

/** Longest name of a response format. */
const NAME_LENGTH_MAX = 64;

/** A named schema. In strict mode, the default, the answer is certain to fit; a schema that it cannot say goes without. */
export function namedSchema(
  asked: NonNullable<StreamOptions["responseSchema"]>,
  diagnostics: Diagnostics,
): { name: string; schema: unknown; strict: boolean } {
  const name = (asked.name ?? "").replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, NAME_LENGTH_MAX) || "response";
  const converted = convertSchema(asked.schema, asked.strict === false ? "openai" : "openai-strict");
  if (converted === undefined) return { name, schema: asked.schema, strict: false };
  if (converted.weakened.length > 0) diagnostics.changed("responseSchema", converted.weakened.join("; "));
  return { name, schema: converted.schema, strict: converted.strict };
}
