// Answers in JSON as OpenAI's two APIs are asked for them: by a schema, or by showing the schema where a server takes neither schemas nor
// tools, which every API does alike.
import type { RequestInput } from "../protocol.ts";
import { convertSchema } from "../tools/schema-dialect.ts";
import type { StreamOptions } from "../types.ts";
import type { Diagnostics } from "./diagnostics.ts";

/** Longest name of a response format. */
const NAME_LENGTH_MAX = 64;

/** A schema as the APIs take it. */
export interface NamedSchema {
  name: string;
  schema: unknown;
  strict: boolean;
}

/** In strict mode, the default, the answer is certain to fit; a schema that it cannot say goes without. */
function namedSchema(asked: NonNullable<StreamOptions["responseSchema"]>, diagnostics: Diagnostics): NamedSchema {
  const name = (asked.name ?? "").replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, NAME_LENGTH_MAX) || "response";
  const converted = convertSchema(asked.schema, asked.strict === false ? "openai" : "openai-strict");
  if (converted === undefined) return { name, schema: asked.schema, strict: false };
  if (converted.weakened.length > 0) diagnostics.changed("responseSchema", converted.weakened.join("; "));
  return { name, schema: converted.schema, strict: converted.strict };
}

/** Words that show the schema to the model, for servers that take no schema. */
export function shownSchema({ model, options }: RequestInput): string | undefined {
  if (!options.responseSchema || model.quirks?.supportsResponseSchema !== false) return undefined;
  return `Answer with nothing but JSON that is valid for this JSON Schema:\n${JSON.stringify(options.responseSchema.schema)}`;
}

/** Says that the schema is only shown. */
export function sayShown(diagnostics: Diagnostics): void {
  diagnostics.changed("responseSchema", "this server takes no schema, so the model is asked for JSON like it");
}

/** How an answer in JSON is asked for: by the schema, or as JSON of any kind. Undefined if the caller wants none. */
export function jsonFormat(
  { model, options }: RequestInput,
  diagnostics: Diagnostics,
): { type: "json_object" } | { type: "json_schema"; schema: NamedSchema } | undefined {
  if (!options.responseSchema) return undefined;
  if (model.quirks?.supportsResponseSchema !== false) {
    return { type: "json_schema", schema: namedSchema(options.responseSchema, diagnostics) };
  }
  sayShown(diagnostics);
  return { type: "json_object" };
}
