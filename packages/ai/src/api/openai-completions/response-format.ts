// Answers in JSON for a schema: natively, or by asking for JSON and showing the schema where a server knows no schemas.
import type { RequestInput } from "../../protocol.ts";
import type { Diagnostics } from "../../request/diagnostics.ts";
import { namedSchema } from "../../request/response-schema.ts";

/** The `response_format` of a request; undefined if the caller asked for none. */
export function responseFormat({ model, options }: RequestInput, diagnostics: Diagnostics): object | undefined {
  const asked = options.responseSchema;
  if (!asked) return undefined;
  if (model.quirks?.supportsResponseSchema === false) {
    diagnostics.changed("responseSchema", "this server takes no schema, so the model is asked for JSON like it");
    return { type: "json_object" };
  }
  return { type: "json_schema", json_schema: namedSchema(asked, diagnostics) };
}

/** The words that show the schema to the model where the server takes none. */
export function schemaPrompt({ model, options }: RequestInput): string | undefined {
  if (!options.responseSchema || model.quirks?.supportsResponseSchema !== false) return undefined;
  return `Answer with nothing but JSON that is valid for this JSON Schema:\n${JSON.stringify(options.responseSchema.schema)}`;
}
