// Context and options → the body of a Messages request. Pure: the same input gives the same bytes.
import type { BuiltRequest, RequestInput } from "../../protocol.ts";
import { affinityHeaders } from "../../request/caching.ts";
import { Diagnostics } from "../../request/diagnostics.ts";
import { askedMaxTokens } from "../../request/output-limit.ts";
import { sayShown, shownSchema } from "../../request/response-schema.ts";
import { sendableChoice } from "../../request/tool-choice.ts";
import { convertSchema, convertTools } from "../../tools/schema-dialect.ts";
import type { ToolChoice } from "../../types.ts";
import { markCacheBreakpoints } from "./cache-marks.ts";
import { anthropicMessagesOf } from "./messages.ts";
import { anthropicThinking } from "./thinking.ts";

/** Limit of an answer where neither the caller nor the catalog knows one; every model since Claude 3 takes it. */
const MAX_TOKENS_FALLBACK = 4_096;

export function buildAnthropicRequest(input: RequestInput): BuiltRequest {
  const { model, options } = input;
  const quirks = model.quirks ?? {};
  const diagnostics = new Diagnostics();
  const declared = convertTools(input.tools, "anthropic");
  diagnostics.list.push(...declared.diagnostics);
  const asked = askedMaxTokens(input, diagnostics) ?? model.maxTokens ?? MAX_TOKENS_FALLBACK;
  const thinking = anthropicThinking(input, asked, diagnostics);
  const body: Record<string, unknown> = { model: model.id, max_tokens: thinking.maxTokens };
  const systemPrompt = [input.systemPrompt, shownSchema(input)].filter(Boolean).join("\n\n");
  if (systemPrompt) body["system"] = [{ type: "text", text: systemPrompt }];
  const choice = toolChoice(input, sendableChoice(input, declared, diagnostics));
  if (declared.tools.length > 0) {
    body["tools"] = declared.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.parameters,
    }));
    if (choice) body["tool_choice"] = choice;
  }
  body["messages"] = anthropicMessagesOf(input, declared.names.toWire, thinking.takesThinkingBack);
  if (thinking.thinking) body["thinking"] = thinking.thinking;
  const outputConfig: Record<string, unknown> = {};
  if (thinking.effort) outputConfig["effort"] = thinking.effort;
  if (options.responseSchema) {
    if (quirks.supportsResponseSchema === false) sayShown(diagnostics);
    else
      outputConfig["format"] = {
        type: "json_schema",
        schema: responseSchemaOf(options.responseSchema.schema, diagnostics),
      };
  }
  if (Object.keys(outputConfig).length > 0) body["output_config"] = outputConfig;
  addTemperature(body, input, thinking.thinking !== undefined && thinking.thinking["type"] !== "disabled", diagnostics);
  addStopSequences(body, input, diagnostics);
  addMetadata(body, input, diagnostics);
  markCacheBreakpoints(body, input, diagnostics);
  return {
    body,
    diagnostics: diagnostics.list,
    toolName: declared.names.fromWire,
    headers: affinityHeaders(input),
  };
}

/** Structured outputs take the strict subset of JSON Schema ("Structured outputs" documentation, November 2025). */
function responseSchemaOf(schema: unknown, diagnostics: Diagnostics): unknown {
  const converted = convertSchema(schema, "openai-strict");
  if (converted === undefined) return schema;
  if (converted.weakened.length > 0) diagnostics.changed("responseSchema", converted.weakened.join("; "));
  return converted.schema;
}

function toolChoice(input: RequestInput, choice: ToolChoice | undefined): Record<string, unknown> | undefined {
  const { parallelToolCalls } = input.options;
  if (choice === undefined && parallelToolCalls !== false) return undefined;
  const one = parallelToolCalls === false && choice !== "none" ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined || choice === "auto") return { type: "auto", ...one };
  if (choice === "none") return { type: "none" };
  if (choice === "required") return { type: "any", ...one };
  return { type: "tool", name: choice.name, ...one };
}

/** The API takes the id of a user and nothing else. */
function addMetadata(body: Record<string, unknown>, { model, options }: RequestInput, diagnostics: Diagnostics): void {
  const { user_id: userId, ...others } = options.metadata ?? {};
  if (typeof userId === "string") body["metadata"] = { user_id: userId };
  if (Object.keys(others).length === 0) return;
  if (typeof userId === "string") diagnostics.changed("metadata", "only user_id was sent");
  else diagnostics.ignored("metadata", model, "this API takes user_id alone");
}

/** From 0 to 1; not together with thinking ("Extended thinking" documentation, 2025). */
function addTemperature(
  body: Record<string, unknown>,
  input: RequestInput,
  thinks: boolean,
  diagnostics: Diagnostics,
): void {
  const { temperature } = input.options;
  if (temperature === undefined) return;
  if (thinks || input.model.quirks?.supportsTemperature === false) {
    diagnostics.ignored("temperature", input.model, thinks ? "it cannot be combined with thinking" : undefined);
    return;
  }
  if (temperature > 1) diagnostics.changed("temperature", "it was lowered to 1, the most that this API takes");
  body["temperature"] = Math.min(temperature, 1);
}

/** Sequences of white space alone are refused by the API. */
function addStopSequences(body: Record<string, unknown>, input: RequestInput, diagnostics: Diagnostics): void {
  const { stopSequences } = input.options;
  if (!stopSequences || stopSequences.length === 0) return;
  const usable = stopSequences.filter((sequence) => sequence.trim() !== "");
  if (usable.length < stopSequences.length)
    diagnostics.changed("stopSequences", "those of white space alone were left out");
  if (usable.length > 0) body["stop_sequences"] = usable;
}
