// The published rules of OpenAI's Responses API for a request body: API reference, OpenAPI description, and the guide on
// reasoning items, November 2026. Requests are stateless: `store` is false and reasoning travels encrypted.
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
  "input",
  "instructions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "max_output_tokens",
  "temperature",
  "top_p",
  "stream",
  "stream_options",
  "store",
  "metadata",
  "reasoning",
  "text",
  "include",
  "prompt_cache_key",
  "prompt_cache_retention",
  "truncation",
  "user",
  "safety_identifier",
  "service_tier",
  "background",
  "max_tool_calls",
  "previous_response_id",
  "top_logprobs",
];
const CALL_ID_LENGTH_MAX = 64;
const ITEM_FIELDS: Record<string, readonly string[]> = {
  message: ["type", "role", "content", "id", "status", "phase"],
  function_call: ["type", "id", "call_id", "name", "arguments", "status"],
  function_call_output: ["type", "id", "call_id", "output", "status"],
  reasoning: ["type", "id", "summary", "content", "encrypted_content", "status"],
};
/** Prefixes of the ids that the server gives to its items. */
const ID_PREFIX: Record<string, string> = { message: "msg_", function_call: "fc_", reasoning: "rs_" };

/** What OpenAI's Responses API would refuse in a request body; empty if it would accept it. */
export function checkOpenaiResponsesRequest(body: unknown): string[] {
  const violations = new Violations();
  const fields = violations.object(body, "body", BODY_FIELDS);
  if (fields) new ResponsesRules(fields, violations).check();
  return violations.list;
}

class ResponsesRules {
  readonly #body: Fields;
  readonly #violations: Violations;
  readonly #images: ImageInspector;
  readonly #itemIds = new Set<unknown>();

  constructor(body: Fields, violations: Violations) {
    this.#body = body;
    this.#violations = violations;
    this.#images = new ImageInspector(OPENAI_IMAGE_RULES, violations);
  }

  check(): void {
    checkCommonFields(this.#body, this.#violations);
    this.#checkOptions();
    this.#checkTools();
    this.#checkInput();
    this.#images.finish();
    checkCharacters(this.#body, this.#violations);
  }

  #checkOptions(): void {
    const {
      max_output_tokens: most,
      instructions,
      include,
      reasoning,
      text,
      stream,
      stream_options: streamOptions,
    } = this.#body;
    this.#violations.integer(most, "max_output_tokens", 16);
    if (instructions !== undefined) this.#violations.text(instructions, "instructions");
    if (include !== undefined) {
      for (const name of this.#violations.items(include, "include"))
        this.#violations.oneOf(name, "include", ["reasoning.encrypted_content"]);
    }
    if (streamOptions !== undefined)
      this.#violations.check(stream === true, "stream_options", "is only permitted when stream is on");
    if (reasoning !== undefined) {
      const fields = this.#violations.object(reasoning, "reasoning", ["effort", "summary"]);
      if (fields?.["effort"] !== undefined)
        this.#violations.oneOf(fields["effort"], "reasoning.effort", REASONING_EFFORTS);
      if (fields?.["summary"] !== undefined)
        this.#violations.oneOf(fields["summary"], "reasoning.summary", ["auto", "concise", "detailed"]);
    }
    if (text === undefined) return;
    const format = this.#violations.object(text, "text", ["format", "verbosity"])?.["format"];
    if (format === undefined) return;
    const fields = this.#violations.object(format, "text.format", ["type", "name", "description", "schema", "strict"]);
    this.#violations.oneOf(fields?.["type"], "text.format.type", ["text", "json_object", "json_schema"]);
    if (fields?.["type"] === "json_schema")
      this.#violations.check(/^[a-zA-Z0-9_-]{1,64}$/.test(String(fields["name"])), "text.format.name", "is not a name");
  }

  #checkTools(): void {
    const { tools, tool_choice: choice } = this.#body;
    const list = tools === undefined ? [] : this.#violations.items(tools, "tools");
    const names = list.map((value, index) => {
      const path = `tools[${index}]`;
      const tool = this.#violations.object(value, path, ["type", "name", "description", "parameters", "strict"]);
      this.#violations.oneOf(tool?.["type"], `${path}.type`, ["function"]);
      for (const name of ["parameters", "strict"])
        this.#violations.check(tool?.[name] !== undefined, `${path}.${name}`, "is required");
      return tool && checkFunction(tool, path, this.#violations);
    });
    this.#violations.check(new Set(names).size === names.length, "tools", "names must be unique");
    if (choice === undefined) return;
    this.#violations.check(list.length > 0, "tool_choice", "is only permitted when tools are specified");
    if (typeof choice === "string") this.#violations.oneOf(choice, "tool_choice", ["none", "auto", "required"]);
    else
      this.#violations.check(
        names.includes(this.#violations.object(choice, "tool_choice", ["type", "name"])?.["name"]),
        "tool_choice",
        "names no tool",
      );
  }

  #checkInput(): void {
    const { input } = this.#body;
    if (typeof input === "string") {
      this.#violations.text(input, "input");
      return;
    }
    const items = this.#violations
      .items(input, "input")
      .flatMap((value, index) => this.#item(value, `input[${index}]`));
    this.#violations.check(items.length > 0, "input", "must not be empty");
    const open = new Set<unknown>();
    const answered = new Set<unknown>();
    for (const [index, item] of items.entries()) {
      const path = `input[${index}]`;
      const id = item["call_id"];
      if (item["type"] === "function_call") {
        this.#violations.check(!open.has(id) && !answered.has(id), `${path}.call_id`, "must be unique");
        open.add(id);
      } else if (item["type"] === "function_call_output") {
        this.#violations.check(
          open.delete(id),
          path,
          `no tool call found for function call output with call_id ${String(id)}`,
        );
        answered.add(id);
      } else if (item["type"] === "reasoning") this.#checkFollower(items[index + 1], item, path);
      else if (item["role"] === "user")
        this.#violations.check(
          open.size === 0,
          path,
          `no tool output found for function calls ${[...open].join(", ")}`,
        );
    }
    this.#violations.check(open.size === 0, "input", `no tool output found for function calls ${[...open].join(", ")}`);
  }

  /** A reasoning item is followed by the item that came of it: an answer, a call, or more reasoning. */
  #checkFollower(next: Fields | undefined, item: Fields, path: string): void {
    const follows =
      next?.["type"] === "reasoning" || next?.["type"] === "function_call" || next?.["role"] === "assistant";
    this.#violations.check(
      follows,
      path,
      `item ${String(item["id"])} of type reasoning was provided without its required following item`,
    );
  }

  #item(value: unknown, path: string): Fields[] {
    const given = this.#violations.object(value, path);
    if (!given) return [];
    const type = String(given["type"] ?? "message");
    const allowed = ITEM_FIELDS[type];
    if (!allowed) {
      this.#violations.add(`${path}.type`, `${type} is not permitted`);
      return [];
    }
    const item = { ...given, type };
    this.#violations.object(item, path, allowed);
    this.#itemId(item, path);
    if (type === "message") this.#message(item, path);
    if (type === "reasoning") this.#reasoning(item, path);
    if (type === "function_call" || type === "function_call_output") {
      const id = (item as Fields)["call_id"];
      this.#violations.check(
        typeof id === "string" && id.length >= 1 && id.length <= CALL_ID_LENGTH_MAX,
        `${path}.call_id`,
        `must have 1 to ${CALL_ID_LENGTH_MAX} characters`,
      );
    }
    if (type === "function_call") {
      this.#violations.check(
        /^[a-zA-Z0-9_-]{1,64}$/.test(String((item as Fields)["name"])),
        `${path}.name`,
        "is not a name",
      );
      checkArguments((item as Fields)["arguments"], `${path}.arguments`, this.#violations);
    }
    if (type === "function_call_output") this.#content((item as Fields)["output"], "output", `${path}.output`);
    return [item];
  }

  #itemId(item: Fields, path: string): void {
    const { id, type } = item;
    if (id === undefined) return;
    const prefix = ID_PREFIX[String(type)];
    if (prefix)
      this.#violations.check(
        String(id).startsWith(prefix),
        `${path}.id`,
        `expected an id that begins with '${prefix}'`,
      );
    this.#violations.check(String(id).length <= 64, `${path}.id`, "must have at most 64 characters");
    this.#violations.check(!this.#itemIds.has(id), `${path}.id`, `duplicate item found with id ${String(id)}`);
    this.#itemIds.add(id);
  }

  #message(item: Fields, path: string): void {
    const { role, content, phase } = item;
    this.#violations.oneOf(role, `${path}.role`, ["user", "assistant", "system", "developer"]);
    if (phase !== undefined) {
      this.#violations.check(role === "assistant", `${path}.phase`, "is only for assistant messages");
      this.#violations.oneOf(phase, `${path}.phase`, ["commentary", "final_answer"]);
    }
    this.#content(content, role === "assistant" ? "assistant" : "user", `${path}.content`);
  }

  #reasoning(item: Fields, path: string): void {
    this.#violations.check(typeof item["id"] === "string", `${path}.id`, "is required");
    for (const part of this.#violations.items(item["summary"], `${path}.summary`)) {
      const fields = this.#violations.object(part, `${path}.summary`, ["type", "text"]);
      this.#violations.oneOf(fields?.["type"], `${path}.summary.type`, ["summary_text"]);
    }
    this.#violations.check(
      typeof item["encrypted_content"] === "string" && item["encrypted_content"] !== "",
      `${path}.encrypted_content`,
      "items are not persisted when store is false",
    );
  }

  #content(content: unknown, kind: "user" | "assistant" | "output", path: string): void {
    if (typeof content === "string") {
      this.#violations.text(content, path);
      return;
    }
    const parts = this.#violations.items(content, path);
    this.#violations.check(parts.length > 0, path, "must not be empty");
    const types = kind === "assistant" ? ["output_text", "refusal"] : ["input_text", "input_image", "input_file"];
    for (const [index, value] of parts.entries()) {
      const at = `${path}[${index}]`;
      const part = this.#violations.object(value, at, PART_FIELDS);
      this.#violations.oneOf(part?.["type"], `${at}.type`, types);
      if (part?.["type"] === "input_text" || part?.["type"] === "output_text")
        this.#violations.text(part["text"], `${at}.text`);
      if (part?.["type"] === "input_image") {
        this.#violations.oneOf(part["detail"] ?? "auto", `${at}.detail`, ["auto", "low", "high", "original"]);
        checkUrl(part["image_url"], false, `${at}.image_url`, this.#images, this.#violations);
      }
      if (part?.["type"] === "input_file") {
        this.#violations.text(part["filename"], `${at}.filename`);
        checkUrl(part["file_data"], true, `${at}.file_data`, this.#images, this.#violations);
      }
    }
  }
}

const PART_FIELDS = [
  "type",
  "text",
  "annotations",
  "logprobs",
  "refusal",
  "image_url",
  "detail",
  "filename",
  "file_data",
  "file_id",
];
