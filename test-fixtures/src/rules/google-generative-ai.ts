// The published rules of Google's Gemini API for the body of a generateContent request: API reference, and the guides on
// function calling, thought signatures and images, November 2026.
import { ImageInspector } from "./images.ts";
import { checkToolSchema, SCHEMA_RULES } from "./tool-schema.ts";
import { checkCharacters, type Fields, Violations } from "./violations.ts";

const BODY_FIELDS = [
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "safetySettings",
  "cachedContent",
];
const GENERATION_FIELDS = [
  "temperature",
  "maxOutputTokens",
  "stopSequences",
  "topP",
  "topK",
  "seed",
  "candidateCount",
  "responseMimeType",
  "responseSchema",
  "responseJsonSchema",
  "thinkingConfig",
  "presencePenalty",
  "frequencyPenalty",
  "responseModalities",
  "mediaResolution",
];
const PART_KINDS = ["text", "inlineData", "fileData", "functionCall", "functionResponse"];
const FUNCTION_NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const IMAGE_RULES = {
  types: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
  sizeMax: 20 * 1024 * 1024,
  sideMax: 65_535,
  countMax: 3600,
};

/** Which models' rules apply. */
export interface GoogleOptions {
  /** Gemini 3: the first call of each model turn since the last prompt carries a thought signature. */
  requiresThoughtSignatures?: boolean;
}

/** What the Gemini API would refuse in a request body; empty if it would accept it. */
export function checkGoogleGenerativeAiRequest(body: unknown, options: GoogleOptions = {}): string[] {
  const violations = new Violations();
  const fields = violations.object(body, "body", BODY_FIELDS);
  if (fields) new GoogleRules(fields, options, violations).check();
  return violations.list;
}

interface Content {
  role: unknown;
  parts: Fields[];
  path: string;
}

class GoogleRules {
  readonly #body: Fields;
  readonly #options: GoogleOptions;
  readonly #violations: Violations;
  readonly #images: ImageInspector;

  constructor(body: Fields, options: GoogleOptions, violations: Violations) {
    this.#body = body;
    this.#options = options;
    this.#violations = violations;
    this.#images = new ImageInspector(IMAGE_RULES, violations);
  }

  check(): void {
    this.#checkTools();
    this.#checkGeneration();
    if (this.#body["systemInstruction"] !== undefined) {
      const system = this.#violations.object(this.#body["systemInstruction"], "systemInstruction", ["role", "parts"]);
      for (const part of this.#violations.items(system?.["parts"], "systemInstruction.parts")) {
        this.#violations.text((part as Fields | null)?.["text"], "systemInstruction.parts.text");
      }
    }
    const contents = this.#contents();
    this.#checkTurns(contents);
    if (this.#options.requiresThoughtSignatures) this.#checkSignatures(contents);
    this.#images.finish();
    checkCharacters(this.#body, this.#violations);
  }

  #checkTools(): void {
    const tools = this.#body["tools"] === undefined ? [] : this.#violations.items(this.#body["tools"], "tools");
    const names = new Set<unknown>();
    for (const [index, value] of tools.entries()) {
      const tool = this.#violations.object(value, `tools[${index}]`, ["functionDeclarations"]);
      for (const [at, declaration] of this.#violations
        .items(tool?.["functionDeclarations"], `tools[${index}]`)
        .entries()) {
        const path = `tools[${index}].functionDeclarations[${at}]`;
        const fields = this.#violations.object(declaration, path, [
          "name",
          "description",
          "parameters",
          "parametersJsonSchema",
          "response",
          "behavior",
        ]);
        if (!fields) continue;
        this.#violations.check(FUNCTION_NAME.test(String(fields["name"])), `${path}.name`, "invalid function name");
        this.#violations.check(!names.has(fields["name"]), `${path}.name`, "duplicate function declaration");
        names.add(fields["name"]);
        const { parameters, parametersJsonSchema: jsonSchema } = fields;
        this.#violations.check(
          parameters === undefined || jsonSchema === undefined,
          path,
          "has both parameters and parametersJsonSchema",
        );
        if (parameters !== undefined)
          checkToolSchema(parameters, SCHEMA_RULES["google-openapi"], `${path}.parameters`, this.#violations);
        if (jsonSchema !== undefined)
          checkToolSchema(jsonSchema, SCHEMA_RULES.google, `${path}.parametersJsonSchema`, this.#violations);
      }
    }
    if (this.#body["toolConfig"] === undefined) return;
    this.#violations.check(
      names.size > 0,
      "toolConfig",
      "function calling config is set without function declarations",
    );
    const config = this.#violations.object(this.#body["toolConfig"], "toolConfig", ["functionCallingConfig"]);
    const calling = this.#violations.object(config?.["functionCallingConfig"], "toolConfig.functionCallingConfig", [
      "mode",
      "allowedFunctionNames",
    ]);
    this.#violations.oneOf(calling?.["mode"], "toolConfig.functionCallingConfig.mode", [
      "AUTO",
      "ANY",
      "NONE",
      "VALIDATED",
    ]);
    for (const name of Array.isArray(calling?.["allowedFunctionNames"]) ? calling["allowedFunctionNames"] : []) {
      this.#violations.check(
        names.has(name),
        "toolConfig.functionCallingConfig.allowedFunctionNames",
        `${String(name)} is not declared`,
      );
      this.#violations.oneOf(calling?.["mode"], "toolConfig.functionCallingConfig.mode", ["ANY", "VALIDATED"]);
    }
  }

  #checkGeneration(): void {
    if (this.#body["generationConfig"] === undefined) return;
    const config = this.#violations.object(this.#body["generationConfig"], "generationConfig", GENERATION_FIELDS);
    if (!config) return;
    this.#violations.range(config["temperature"], "generationConfig.temperature", 0, 2);
    this.#violations.integer(config["maxOutputTokens"], "generationConfig.maxOutputTokens", 1);
    const stops = config["stopSequences"];
    if (stops !== undefined)
      this.#violations.check(
        this.#violations.items(stops, "generationConfig.stopSequences").length <= 5,
        "generationConfig.stopSequences",
        "must be at most 5",
      );
    if (config["thinkingConfig"] === undefined) return;
    const thinking = this.#violations.object(config["thinkingConfig"], "generationConfig.thinkingConfig", [
      "thinkingBudget",
      "thinkingLevel",
      "includeThoughts",
    ]);
    const both = thinking?.["thinkingBudget"] !== undefined && thinking["thinkingLevel"] !== undefined;
    this.#violations.check(!both, "generationConfig.thinkingConfig", "takes a budget or a level, not both");
  }

  #contents(): Content[] {
    const values = this.#violations.items(this.#body["contents"], "contents");
    this.#violations.check(values.length > 0, "contents", "contents is not specified");
    return values.flatMap((value, index): Content[] => {
      const path = `contents[${index}]`;
      const content = this.#violations.object(value, path, ["role", "parts"]);
      if (!content) return [];
      this.#violations.oneOf(content["role"], `${path}.role`, ["user", "model"]);
      const parts = this.#violations.items(content["parts"], `${path}.parts`);
      this.#violations.check(parts.length > 0, `${path}.parts`, "must include at least one parts field");
      const read = parts.flatMap((part, at): Fields[] => this.#part(part, content["role"], `${path}.parts[${at}]`));
      return [{ role: content["role"], parts: read, path }];
    });
  }

  #part(value: unknown, role: unknown, path: string): Fields[] {
    const part = this.#violations.object(value, path, [
      ...PART_KINDS,
      "thought",
      "thoughtSignature",
      "videoMetadata",
      "mediaResolution",
    ]);
    if (!part) return [];
    const kinds = PART_KINDS.filter((kind) => kind in part);
    this.#violations.check(kinds.length === 1, path, "must have exactly one kind of data");
    const { text, inlineData, functionCall, functionResponse, thoughtSignature } = part;
    if (thoughtSignature !== undefined) {
      this.#violations.check(role === "model", `${path}.thoughtSignature`, "is only for the model's parts");
      const isBase64 = typeof thoughtSignature === "string" && /^[A-Za-z0-9+/_-]+={0,2}$/.test(thoughtSignature);
      this.#violations.check(isBase64, `${path}.thoughtSignature`, "thought signature is not valid");
    }
    if (part["thought"] !== undefined)
      this.#violations.check(role === "model", `${path}.thought`, "is only for the model's parts");
    if (kinds[0] === "text" && thoughtSignature === undefined) this.#violations.text(text, `${path}.text`);
    if (inlineData !== undefined) {
      const data = this.#violations.object(inlineData, `${path}.inlineData`, ["mimeType", "data", "displayName"]);
      this.#images.inspect(data?.["mimeType"], data?.["data"], `${path}.inlineData`);
    }
    if (functionCall !== undefined) this.#call(functionCall, "args", role === "model", `${path}.functionCall`);
    if (functionResponse !== undefined)
      this.#call(functionResponse, "response", role === "user", `${path}.functionResponse`);
    return [part];
  }

  #call(value: unknown, payload: "args" | "response", rightRole: boolean, path: string): void {
    const fields = this.#violations.object(value, path, [
      "id",
      "name",
      payload,
      ...(payload === "response" ? ["parts"] : []),
    ]);
    this.#violations.check(rightRole, path, "is in the wrong role");
    this.#violations.check(FUNCTION_NAME.test(String(fields?.["name"])), `${path}.name`, "invalid function name");
    this.#violations.object(fields?.[payload], `${path}.${payload}`);
    const id = fields?.["id"];
    this.#violations.check(id === undefined || (typeof id === "string" && id !== ""), `${path}.id`, "must be a text");
  }

  #checkTurns(contents: Content[]): void {
    this.#violations.check(contents[0]?.role === "user", "contents", "the first turn must be the user's");
    this.#violations.check(
      contents.at(-1)?.role === "user",
      "contents",
      "the last turn must be the user's or a function response",
    );
    for (const [index, content] of contents.entries()) {
      this.#violations.check(
        content.role !== contents[index - 1]?.role,
        content.path,
        "turns must alternate between user and model",
      );
      if (content.role === "model") this.#checkAnswers(content, contents[index + 1]);
      else if (index === 0) {
        this.#violations.check(
          !content.parts.some((part) => "functionResponse" in part),
          content.path,
          "a function response must come immediately after a function call turn",
        );
      }
    }
  }

  #checkAnswers(content: Content, next: Content | undefined): void {
    const calls = content.parts.filter((part) => "functionCall" in part).map((part) => part["functionCall"] as Fields);
    const answers = (next?.parts ?? [])
      .filter((part) => "functionResponse" in part)
      .map((part) => part["functionResponse"] as Fields);
    this.#violations.check(
      calls.length === answers.length,
      content.path,
      "the number of function response parts must equal that of the function call parts",
    );
    const names = (list: Fields[]) => list.map((fields) => `${String(fields["name"])} ${String(fields["id"])}`).sort();
    this.#violations.check(
      names(calls).join() === names(answers).join(),
      content.path,
      "function responses do not match the function calls",
    );
    const ids = calls.map((call) => call["id"]).filter((id) => id !== undefined);
    this.#violations.check(new Set(ids).size === ids.length, content.path, "function call ids must be unique");
  }

  #checkSignatures(contents: Content[]): void {
    const isPrompt = (content: Content) =>
      content.role === "user" && !content.parts.some((part) => "functionResponse" in part);
    const prompt = contents.findLastIndex(isPrompt);
    for (const content of contents.slice(prompt + 1)) {
      const first = content.parts.find((part) => "functionCall" in part);
      const signed = first === undefined || first["thoughtSignature"] !== undefined;
      this.#violations.check(signed, content.path, "function call is missing a thought_signature");
    }
  }
}
