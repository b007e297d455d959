// Context and options → the body of a Chat Completions request. Pure: the same input gives the same bytes.
import type { BuiltRequest, RequestInput } from "../../protocol.ts";
import { affinityHeaders, cacheParameters, grantedRetention } from "../../request/caching.ts";
import { Diagnostics } from "../../request/diagnostics.ts";
import { addTemperature, addTools, type ToolShape } from "../../request/openai-options.ts";
import { askedMaxTokens } from "../../request/output-limit.ts";
import { jsonFormat, shownSchema } from "../../request/response-schema.ts";
import { convertTools } from "../../tools/schema-dialect.ts";
import { markCacheBreakpoints } from "./cache-marks.ts";
import { chatMessagesOf } from "./messages.ts";
import { chatThinking } from "./thinking.ts";

/** Most stop sequences that OpenAI takes (API reference, 2025). */
const STOP_SEQUENCES_MAX = 4;

const TOOL_SHAPE: ToolShape = {
  tool: ({ name, description, parameters, strict }) => ({
    type: "function",
    function: { name, description, parameters, ...(strict && { strict }) },
  }),
  choice: (name) => ({ type: "function", function: { name } }),
};

/** Builds the request. */
export function buildChatRequest(input: RequestInput): BuiltRequest {
  const { model, options } = input;
  const quirks = model.quirks ?? {};
  const diagnostics = new Diagnostics();
  const declared = convertTools(input.tools, quirks.supportsStrictTools ? "openai-strict" : "openai");
  diagnostics.list.push(...declared.diagnostics);
  const systemPrompt = [input.systemPrompt, shownSchema(input)].filter(Boolean).join("\n\n");
  const body: Record<string, unknown> = {
    model: model.id,
    messages: chatMessagesOf(input, systemPrompt, declared.names.toWire),
  };
  if (quirks.supportsUsageInStream !== false) body["stream_options"] = { include_usage: true };
  if (quirks.supportsStore) body["store"] = false;
  addLimits(body, input, diagnostics);
  addTemperature(body, input, diagnostics);
  addTools(body, input, declared, TOOL_SHAPE, diagnostics);
  const format = jsonFormat(input, diagnostics);
  if (format) {
    body["response_format"] =
      format.type === "json_schema" ? { type: format.type, json_schema: format.schema } : format;
  }
  Object.assign(body, chatThinking(input, diagnostics));
  const retention = grantedRetention(input, diagnostics);
  Object.assign(body, cacheParameters(input, retention));
  if (quirks.supportsCacheControl && retention !== "none") markCacheBreakpoints(body, retention);
  if (options.metadata) {
    diagnostics.ignored("metadata", model, "Chat Completions takes it only with answers that the server stores");
  }
  return {
    body,
    headers: affinityHeaders(input),
    diagnostics: diagnostics.list,
    toolName: declared.names.fromWire,
  };
}

/** How long, and where to stop. */
function addLimits(body: Record<string, unknown>, input: RequestInput, diagnostics: Diagnostics): void {
  const { model, options } = input;
  const quirks = model.quirks ?? {};
  const maxTokens = askedMaxTokens(input, diagnostics);
  if (maxTokens !== undefined) body[quirks.maxTokensField ?? "max_completion_tokens"] = maxTokens;
  const sequences = options.stopSequences?.filter((sequence) => sequence !== "") ?? [];
  if (sequences.length === 0) return;
  if (quirks.supportsStopSequences === false) {
    diagnostics.ignored("stopSequences", model);
    return;
  }
  if (sequences.length > STOP_SEQUENCES_MAX) {
    diagnostics.changed("stopSequences", `only the first ${STOP_SEQUENCES_MAX} were sent`);
  }
  body["stop"] = sequences.slice(0, STOP_SEQUENCES_MAX);
}
