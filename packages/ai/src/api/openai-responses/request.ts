// Context and options → the body of a Responses request. Pure: the same input gives the same bytes.
import type { BuiltRequest, RequestInput } from "../../protocol.ts";
import { affinityHeaders, cacheParameters, grantedRetention } from "../../request/caching.ts";
import { cutText } from "../../request/cut-text.ts";
import { Diagnostics } from "../../request/diagnostics.ts";
import { addTemperature, addTools, type ToolShape } from "../../request/openai-options.ts";
import { askedMaxTokens } from "../../request/output-limit.ts";
import { jsonFormat, shownSchema } from "../../request/response-schema.ts";
import { resolveThinking } from "../../request/thinking.ts";
import { equalJson } from "../../tools/json-values.ts";
import { convertTools } from "../../tools/schema-dialect.ts";
import { inputItemsOf } from "./input-items.ts";

/** The least output limit that OpenAI takes (API reference, 2025). */
const MAX_TOKENS_MIN = 16;
/** Limits of OpenAI's `metadata` (API reference, 2025). */
const METADATA_ENTRIES_MAX = 16;
const METADATA_NAME_LENGTH_MAX = 64;
const METADATA_VALUE_LENGTH_MAX = 512;

const TOOL_SHAPE: ToolShape = {
  // The API takes tools as strict unless it is told otherwise.
  tool: ({ name, description, parameters, strict }) => ({ type: "function", name, description, parameters, strict }),
  choice: (name) => ({ type: "function", name }),
};

/** Builds the request. Nothing is stored on the server, so reasoning comes back encrypted and goes along with the next request. */
export function buildResponsesRequest(input: RequestInput): BuiltRequest {
  const { model } = input;
  const diagnostics = new Diagnostics();
  const declared = convertTools(input.tools, model.quirks?.supportsStrictTools ? "openai-strict" : "openai");
  diagnostics.list.push(...declared.diagnostics);
  const systemPrompt = [input.systemPrompt, shownSchema(input)].filter(Boolean).join("\n\n");
  const body: Record<string, unknown> = {
    model: model.id,
    input: inputItemsOf(input, systemPrompt, declared.names.toWire),
    store: false,
  };
  if (model.reasoning) body["include"] = ["reasoning.encrypted_content"];
  addLimits(body, input, diagnostics);
  addTemperature(body, input, diagnostics);
  addTools(body, input, declared, TOOL_SHAPE, diagnostics);
  addReasoning(body, input, diagnostics);
  const format = jsonFormat(input, diagnostics);
  if (format) {
    body["text"] = { format: format.type === "json_schema" ? { type: format.type, ...format.schema } : format };
  }
  addMetadata(body, input, diagnostics);
  Object.assign(body, cacheParameters(input, grantedRetention(input, diagnostics)));
  return {
    body,
    headers: affinityHeaders(input),
    diagnostics: diagnostics.list,
    toolName: declared.names.fromWire,
  };
}

function addLimits(body: Record<string, unknown>, input: RequestInput, diagnostics: Diagnostics): void {
  const { model, options } = input;
  const maxTokens = askedMaxTokens(input, diagnostics);
  if (maxTokens !== undefined) {
    if (maxTokens < MAX_TOKENS_MIN) {
      diagnostics.changed("maxTokens", `it was raised to ${MAX_TOKENS_MIN}, the least that this API takes`);
    }
    body["max_output_tokens"] = Math.max(maxTokens, MAX_TOKENS_MIN);
  }
  if (options.stopSequences?.some((sequence) => sequence !== "")) {
    diagnostics.ignored("stopSequences", model, "the Responses API has none");
  }
}

function addReasoning(body: Record<string, unknown>, { model, options }: RequestInput, diagnostics: Diagnostics): void {
  const asked = options.reasoning;
  if (asked === undefined) return;
  if (!model.reasoning) {
    if (asked !== "off") diagnostics.ignored("reasoning", model, "it does not think");
    return;
  }
  const { level, word, clamped } = resolveThinking(model, asked);
  if (clamped) diagnostics.changed("reasoning", `${model.id} does not have the level ${asked}; ${level} was used`);
  if (level === "off") {
    // Without a word of its own for "off", a model has no way to be told.
    if (model.thinkingLevelMap?.off) body["reasoning"] = { effort: word };
    return;
  }
  if (options.thinkingBudgets?.[level] !== undefined) {
    diagnostics.ignored("thinkingBudgets", model, "it takes a level, no number of tokens");
  }
  body["reasoning"] = { effort: word, summary: "auto" };
}

/** The API takes texts alone, and neither many nor long ones. */
function addMetadata(body: Record<string, unknown>, { options }: RequestInput, diagnostics: Diagnostics): void {
  const asked = Object.entries(options.metadata ?? {}).filter(([, value]) => value !== undefined && value !== null);
  if (asked.length === 0) return;
  const texts = asked.map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  const sent = texts
    .slice(0, METADATA_ENTRIES_MAX)
    .map(([name, value]) => [cutText(name, METADATA_NAME_LENGTH_MAX), cutText(value, METADATA_VALUE_LENGTH_MAX)]);
  if (!equalJson(texts, sent)) diagnostics.changed("metadata", "entries that were too many or too long were cut");
  body["metadata"] = Object.fromEntries(sent);
}
