// The published rules of OpenAI's Chat Completions API for a request body: API reference and OpenAPI description,
// November 2026. Fields of compatible servers are allowed where the caller names them.
import { ImageInspector } from "./images.ts";
import {
  checkArguments,
  checkCommonFields,
  checkFunction,
  checkUrl,
  OPENAI_IMAGE_RULES,
  REASONING_EFFORTS,
} from "./openai-shared.ts";
import { checkCharacters, type Fields, Violations } from "./violations.ts";

const BODY_FIELDS = [
  "model",
  "messages",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "stop",
  "stream",
  "stream_options",
  "store",
  "metadata",
  "reasoning_effort",
  "response_format",
  "prompt_cache_key",
  "prompt_cache_retention",
  "seed",
  "user",
  "safety_identifier",
  "service_tier",
  "verbosity",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "n",
  "modalities",
];
const CALL_ID_LENGTH_MAX = 40;

/** What a compatible server takes beyond OpenAI's own fields. */
export interface CompletionsExtras {
  bodyFields?: readonly string[];
  assistantFields?: readonly string[];
  /** Tool messages carry the name of their tool. */
  toolName?: boolean;
  /** The form of tool-call ids. */
  callId?: RegExp;
  /** Content parts may carry `cache_control`. */
  cacheControl?: boolean;
}

/** What OpenAI's Chat Completions API would refuse in a request body; empty if it would accept it. */
export function checkOpenaiCompletionsRequest(body: unknown, extras: CompletionsExtras = {}): string[] {
  const violations = new Violations();
  const fields = violations.object(body, "body", [...BODY_FIELDS, ...(extras.bodyFields ?? [])]);
  if (fields) new CompletionsRules(fields, extras, violations).check();
  return violations.list;
}

class CompletionsRules {
  readonly #body: Fields;
  readonly #extras: CompletionsExtras;
  readonly #violations: Violations;
  readonly #images: ImageInspector;
  readonly #callIds = new Set<unknown>();

  constructor(body: Fields, extras: CompletionsExtras, violations: Violations) {
    this.#body = body;
    this.#extras = extras;
    this.#violations = violations;
    this.#images = new ImageInspector(OPENAI_IMAGE_RULES, violations);
  }

  check(): void {
    checkCommonFields(this.#body, this.#violations);
    this.#checkOptions();
    this.#checkTools();
    this.#checkMessages();
    this.#images.finish();
    checkCharacters(this.#body, this.#violations);
  }

  #checkOptions(): void {
    const { max_tokens: old, max_completion_tokens: most, stop, stream, stream_options: streamOptions } = this.#body;
    this.#violations.integer(old, "max_tokens", 1);
    this.#violations.integer(most, "max_completion_tokens", 1);
    this.#violations.check(
      old === undefined || most === undefined,
      "max_tokens",
      "is not permitted beside max_completion_tokens",
    );
    if (Array.isArray(stop))
      this.#violations.check(stop.length >= 1 && stop.length <= 4, "stop", "must have 1 to 4 texts");
    if (streamOptions !== undefined)
      this.#violations.check(stream === true, "stream_options", "is only permitted when stream is on");
    const { reasoning_effort: effort, response_format: format } = this.#body;
    if (effort !== undefined) this.#violations.oneOf(effort, "reasoning_effort", REASONING_EFFORTS);
    if (format === undefined) return;
    const fields = this.#violations.object(format, "response_format", ["type", "json_schema"]);
    this.#violations.oneOf(fields?.["type"], "response_format.type", ["text", "json_object", "json_schema"]);
    if (fields?.["type"] !== "json_schema") return;
    const schema = this.#violations.object(fields["json_schema"], "response_format.json_schema", [
      "name",
      "description",
      "schema",
      "strict",
    ]);
    this.#violations.check(
      /^[a-zA-Z0-9_-]{1,64}$/.test(String(schema?.["name"])),
      "response_format.json_schema.name",
      "is not a name",
    );
  }

  #checkTools(): void {
    const { tools, tool_choice: choice, parallel_tool_calls: parallel } = this.#body;
    const list = tools === undefined ? [] : this.#violations.items(tools, "tools");
    if (tools !== undefined) this.#violations.check(list.length > 0, "tools", "must not be empty");
    const names = list.map((value, index) => {
      const path = `tools[${index}]`;
      const tool = this.#violations.object(value, path, [
        "type",
        "function",
        ...(this.#extras.cacheControl ? ["cache_control"] : []),
      ]);
      this.#violations.oneOf(tool?.["type"], `${path}.type`, ["function"]);
      const fields = this.#violations.object(tool?.["function"], `${path}.function`, [
        "name",
        "description",
        "parameters",
        "strict",
      ]);
      return fields && checkFunction(fields, `${path}.function`, this.#violations);
    });
    this.#violations.check(new Set(names).size === names.length, "tools", "names must be unique");
    for (const [name, value] of [
      ["tool_choice", choice],
      ["parallel_tool_calls", parallel],
    ] as const) {
      this.#violations.check(
        value === undefined || list.length > 0,
        name,
        "is only permitted when tools are specified",
      );
    }
    if (typeof choice === "string") this.#violations.oneOf(choice, "tool_choice", ["none", "auto", "required"]);
    else if (choice !== undefined) {
      const fields = this.#violations.object(choice, "tool_choice", ["type", "function"]);
      this.#violations.check(
        names.includes((fields?.["function"] as Fields | undefined)?.["name"]),
        "tool_choice",
        "names no tool",
      );
    }
  }

  #checkMessages(): void {
    const messages = this.#violations.items(this.#body["messages"], "messages");
    this.#violations.check(messages.length > 0, "messages", "must not be empty");
    let open: unknown[] = [];
    for (const [index, value] of messages.entries()) {
      const path = `messages[${index}]`;
      const role = typeof value === "object" && value !== null ? (value as Fields)["role"] : undefined;
      const message = this.#violations.object(value, path, fieldsOf(role, this.#extras));
      if (!message) continue;
      this.#violations.oneOf(role, `${path}.role`, ["system", "developer", "user", "assistant", "tool"]);
      if (role === "tool") {
        const id = message["tool_call_id"];
        this.#violations.check(
          open.includes(id),
          path,
          "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        );
        open = open.filter((other) => other !== id);
      } else {
        this.#violations.check(open.length === 0, path, `tool_call_ids without response messages: ${open.join(", ")}`);
        open = role === "assistant" ? this.#assistant(message, path) : [];
      }
      if (role !== "assistant") this.#content(message["content"], role, path);
    }
    this.#violations.check(
      open.length === 0,
      "messages",
      `tool_call_ids without response messages: ${open.join(", ")}`,
    );
  }

  #assistant(message: Fields, path: string): unknown[] {
    const { content, tool_calls: calls } = message;
    if (content !== undefined && content !== null) this.#content(content, "assistant", path);
    if (calls === undefined) {
      this.#violations.check(content !== undefined && content !== null, path, "needs content or tool_calls");
      return [];
    }
    const list = this.#violations.items(calls, `${path}.tool_calls`);
    this.#violations.check(list.length > 0, `${path}.tool_calls`, "is too short");
    return list.map((value, index) => {
      const at = `${path}.tool_calls[${index}]`;
      const call = this.#violations.object(value, at, ["id", "type", "function"]);
      this.#violations.oneOf(call?.["type"], `${at}.type`, ["function"]);
      const id = call?.["id"];
      const form = this.#extras.callId ?? /^.+$/s;
      const fits = typeof id === "string" && id.length <= CALL_ID_LENGTH_MAX && form.test(id);
      this.#violations.check(fits, `${at}.id`, `must have at most ${CALL_ID_LENGTH_MAX} characters and match ${form}`);
      this.#violations.check(!this.#callIds.has(id), `${at}.id`, "must be unique");
      this.#callIds.add(id);
      const called = this.#violations.object(call?.["function"], `${at}.function`, ["name", "arguments"]);
      this.#violations.check(
        /^[a-zA-Z0-9_-]{1,64}$/.test(String(called?.["name"])),
        `${at}.function.name`,
        "is not a name",
      );
      checkArguments(called?.["arguments"], `${at}.function.arguments`, this.#violations);
      return id;
    });
  }

  #content(content: unknown, role: unknown, path: string): void {
    if (typeof content === "string") {
      this.#violations.text(content, `${path}.content`);
      return;
    }
    const parts = this.#violations.items(content, `${path}.content`);
    this.#violations.check(parts.length > 0, `${path}.content`, "must not be empty");
    const types = role === "user" ? ["text", "image_url", "file"] : ["text"];
    for (const [index, value] of parts.entries()) {
      const at = `${path}.content[${index}]`;
      const part = this.#violations.object(value, at, [
        "type",
        "text",
        "image_url",
        "file",
        ...(this.#extras.cacheControl ? ["cache_control"] : []),
      ]);
      this.#violations.oneOf(part?.["type"], `${at}.type`, types);
      if (part?.["type"] === "text") this.#violations.text(part["text"], `${at}.text`);
      if (part?.["type"] === "image_url") {
        const image = this.#violations.object(part["image_url"], `${at}.image_url`, ["url", "detail"]);
        checkUrl(image?.["url"], false, `${at}.image_url.url`, this.#images, this.#violations);
      }
      if (part?.["type"] === "file") {
        const file = this.#violations.object(part["file"], `${at}.file`, ["filename", "file_data", "file_id"]);
        this.#violations.text(file?.["filename"], `${at}.file.filename`);
        checkUrl(file?.["file_data"], true, `${at}.file.file_data`, this.#images, this.#violations);
      }
    }
  }
}

function fieldsOf(role: unknown, extras: CompletionsExtras): readonly string[] {
  if (role === "assistant")
    return ["role", "content", "name", "tool_calls", "refusal", ...(extras.assistantFields ?? [])];
  if (role === "tool") return ["role", "content", "tool_call_id", ...(extras.toolName ? ["name"] : [])];
  return ["role", "content", "name"];
}
