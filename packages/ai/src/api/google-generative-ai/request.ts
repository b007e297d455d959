// Context and options → the body of a streamGenerateContent request. Pure: the same input gives the same bytes.
import type { BuiltRequest, RequestInput } from "../../protocol.ts";
import { Diagnostics } from "../../request/diagnostics.ts";
import { askedMaxTokens } from "../../request/output-limit.ts";
import { sayShown, shownSchema } from "../../request/response-schema.ts";
import { resolveThinking, thinkingBudget } from "../../request/thinking.ts";
import { sendableChoice } from "../../request/tool-choice.ts";
import { convertSchema, convertTools } from "../../tools/schema-dialect.ts";
import type { ToolChoice } from "../../types.ts";
import { googleContentsOf } from "./contents.ts";

/** Most stop sequences that the API takes (GenerationConfig, 2025). */
const STOP_SEQUENCES_MAX = 5;

export function buildGoogleRequest(input: RequestInput): BuiltRequest {
  const { options } = input;
  const diagnostics = new Diagnostics();
  const declared = convertTools(input.tools, "google");
  diagnostics.list.push(...declared.diagnostics);
  const body: Record<string, unknown> = {};
  const systemPrompt = [input.systemPrompt, shownSchema(input)].filter(Boolean).join("\n\n");
  if (systemPrompt) body["systemInstruction"] = { parts: [{ text: systemPrompt }] };
  const choice = sendableChoice(input, declared, diagnostics);
  if (declared.tools.length > 0) {
    const functionDeclarations = declared.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      ...(hasProperties(parameters) && { parametersJsonSchema: parameters }),
    }));
    body["tools"] = [{ functionDeclarations }];
    const config = callingConfig(choice);
    if (config) body["toolConfig"] = { functionCallingConfig: config };
  }
  body["contents"] = googleContentsOf(input, declared.names.toWire);
  const generationConfig = generationConfigOf(input, diagnostics);
  if (Object.keys(generationConfig).length > 0) body["generationConfig"] = generationConfig;
  if (options.parallelToolCalls === false) diagnostics.ignored("parallelToolCalls", input.model);
  if (options.cacheRetention === "long")
    diagnostics.ignored("cacheRetention", input.model, "Gemini decides that itself");
  if (options.metadata) diagnostics.ignored("metadata", input.model);
  return { body, diagnostics: diagnostics.list, toolName: declared.names.fromWire };
}

/** A function without parameters is declared without a schema: the API refuses an object type with no properties. */
const hasProperties = (parameters: Record<string, unknown>): boolean =>
  typeof parameters["properties"] === "object" && Object.keys(parameters["properties"] as object).length > 0;

function callingConfig(choice: ToolChoice | undefined): Record<string, unknown> | undefined {
  if (choice === undefined) return undefined;
  if (choice === "auto") return { mode: "AUTO" };
  if (choice === "none") return { mode: "NONE" };
  if (choice === "required") return { mode: "ANY" };
  return { mode: "ANY", allowedFunctionNames: [choice.name] };
}

function generationConfigOf(input: RequestInput, diagnostics: Diagnostics): Record<string, unknown> {
  const { model, options } = input;
  const config: Record<string, unknown> = {};
  if (options.temperature !== undefined) {
    if (model.quirks?.supportsTemperature === false) diagnostics.ignored("temperature", model);
    else config["temperature"] = options.temperature;
  }
  const maxTokens = askedMaxTokens(input, diagnostics);
  if (maxTokens !== undefined) config["maxOutputTokens"] = maxTokens;
  const sequences = options.stopSequences?.filter((sequence) => sequence !== "") ?? [];
  if (sequences.length > STOP_SEQUENCES_MAX)
    diagnostics.changed("stopSequences", `only the first ${STOP_SEQUENCES_MAX} were sent`);
  if (sequences.length > 0) config["stopSequences"] = sequences.slice(0, STOP_SEQUENCES_MAX);
  const thinkingConfig = thinkingConfigOf(input, diagnostics);
  if (thinkingConfig) config["thinkingConfig"] = thinkingConfig;
  if (options.responseSchema) addResponseSchema(config, input, diagnostics);
  return config;
}

/** Without a schema the model is shown it and asked for JSON, which it does not take beside tools. */
function addResponseSchema(config: Record<string, unknown>, input: RequestInput, diagnostics: Diagnostics): void {
  const schema = input.options.responseSchema?.schema;
  if (input.model.quirks?.supportsResponseSchema === false) {
    sayShown(diagnostics);
    if (input.tools.length === 0) config["responseMimeType"] = "application/json";
    return;
  }
  config["responseMimeType"] = "application/json";
  const converted = convertSchema(schema, "google");
  if (converted && converted.weakened.length > 0) diagnostics.changed("responseSchema", converted.weakened.join("; "));
  config["responseJsonSchema"] = converted?.schema ?? schema;
}

/** Gemini 3 takes a word (the model's level map has one), earlier models a number of tokens; 0 turns thinking off. */
function thinkingConfigOf(
  { model, options }: RequestInput,
  diagnostics: Diagnostics,
): Record<string, unknown> | undefined {
  if (options.reasoning === undefined || !model.reasoning) {
    if (options.reasoning !== undefined && options.reasoning !== "off")
      diagnostics.ignored("reasoning", model, "it does not think");
    return undefined;
  }
  const { level, clamped } = resolveThinking(model, options.reasoning);
  if (clamped)
    diagnostics.changed("reasoning", `${model.id} does not have the level ${options.reasoning}; ${level} was used`);
  const word = model.thinkingLevelMap?.[level];
  if (word) return { thinkingLevel: word, includeThoughts: level !== "off" };
  if (level === "off") return { thinkingBudget: 0 };
  return { thinkingBudget: thinkingBudget(level, options.thinkingBudgets), includeThoughts: true };
}
