// The published rules of Anthropic's Messages API for a request body: API reference, and the guides on tool use, extended
// thinking, prompt caching and vision, November 2026.
import { ImageInspector } from "./images.ts";
import { checkToolSchema, SCHEMA_RULES } from "./tool-schema.ts";
import { checkCharacters, type Fields, Violations } from "./violations.ts";

const BODY_FIELDS = [
  "model",
  "messages",
  "max_tokens",
  "system",
  "metadata",
  "stop_sequences",
  "stream",
  "temperature",
  "thinking",
  "tool_choice",
  "tools",
  "top_k",
  "top_p",
  "output_config",
  "service_tier",
  "cache_control",
  "container",
  "context_management",
  "mcp_servers",
];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const CACHE_MARKS_MAX = 4;
const BUDGET_MIN = 1024;
const IMAGE_RULES = {
  types: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  sizeMax: 5 * 1024 * 1024,
  sideMax: 8000,
  countMax: 100,
  crowd: { count: 20, sideMax: 2000 },
};

/** What Anthropic would refuse in a request body; empty if it would accept it. */
export function checkAnthropicMessagesRequest(body: unknown): string[] {
  const violations = new Violations();
  const fields = violations.object(body, "body", BODY_FIELDS);
  if (fields) new AnthropicRules(fields, violations).check();
  return violations.list;
}

interface Turn {
  role: unknown;
  blocks: Fields[];
  path: string;
}

class AnthropicRules {
  readonly #body: Fields;
  readonly #violations: Violations;
  readonly #images: ImageInspector;
  readonly #marks: (string | undefined)[] = [];
  readonly #callIds = new Set<string>();

  constructor(body: Fields, violations: Violations) {
    this.#body = body;
    this.#violations = violations;
    this.#images = new ImageInspector(IMAGE_RULES, violations);
  }

  check(): void {
    const { model, max_tokens: maxTokens, temperature, stop_sequences: stops, metadata } = this.#body;
    this.#violations.text(model, "model");
    this.#violations.check(Number.isInteger(maxTokens) && (maxTokens as number) >= 1, "max_tokens", "is required");
    this.#violations.range(temperature, "temperature", 0, 1);
    if (stops !== undefined)
      for (const stop of this.#violations.items(stops, "stop_sequences")) this.#violations.text(stop, "stop_sequences");
    if (metadata !== undefined) this.#violations.object(metadata, "metadata", ["user_id"]);
    this.#checkTools();
    this.#checkSystem();
    const turns = this.#turns();
    this.#checkPairing(turns);
    this.#checkThinking(turns);
    this.#checkMarks();
    this.#images.finish();
    checkCharacters(this.#body, this.#violations);
  }

  #checkTools(): void {
    const tools = this.#body["tools"] === undefined ? [] : this.#violations.items(this.#body["tools"], "tools");
    const names = new Set<unknown>();
    for (const [index, value] of tools.entries()) {
      const path = `tools[${index}]`;
      const tool = this.#violations.object(value, path, [
        "name",
        "description",
        "input_schema",
        "cache_control",
        "type",
        "strict",
        "input_examples",
      ]);
      if (!tool) continue;
      this.#violations.check(
        typeof tool["name"] === "string" && NAME.test(tool["name"]),
        `${path}.name`,
        `must match ${NAME}`,
      );
      this.#violations.check(!names.has(tool["name"]), `${path}.name`, "tool names must be unique");
      names.add(tool["name"]);
      checkToolSchema(tool["input_schema"], SCHEMA_RULES.anthropic, `${path}.input_schema`, this.#violations);
      this.#mark(tool, path);
    }
    if (this.#body["tool_choice"] === undefined) return;
    const choice = this.#violations.object(this.#body["tool_choice"], "tool_choice", [
      "type",
      "name",
      "disable_parallel_tool_use",
    ]);
    this.#violations.oneOf(choice?.["type"], "tool_choice.type", ["auto", "any", "tool", "none"]);
    this.#violations.check(tools.length > 0, "tool_choice", "may only be specified while providing tools");
    if (choice?.["type"] === "tool")
      this.#violations.check(names.has(choice["name"]), "tool_choice.name", "is no tool of the request");
  }

  #checkSystem(): void {
    const { system } = this.#body;
    if (system === undefined) return;
    if (typeof system === "string") {
      this.#violations.text(system, "system");
      return;
    }
    for (const [index, value] of this.#violations.items(system, "system").entries()) {
      const block = this.#violations.object(value, `system[${index}]`, ["type", "text", "cache_control", "citations"]);
      this.#violations.oneOf(block?.["type"], `system[${index}].type`, ["text"]);
      this.#violations.text(block?.["text"], `system[${index}].text`);
      if (block) this.#mark(block, `system[${index}]`);
    }
  }

  /** The turns as the API sees them: consecutive messages of one role count as one. */
  #turns(): Turn[] {
    const turns: Turn[] = [];
    const messages = this.#violations.items(this.#body["messages"], "messages");
    for (const [index, value] of messages.entries()) {
      const path = `messages[${index}]`;
      const message = this.#violations.object(value, path, ["role", "content"]);
      if (!message) continue;
      const { role, content } = message;
      this.#violations.oneOf(role, `${path}.role`, ["user", "assistant"]);
      if (typeof content === "string") this.#violations.text(content, `${path}.content`);
      const values: unknown[] =
        typeof content === "string"
          ? [{ type: "text", text: content }]
          : this.#violations.items(content, `${path}.content`);
      this.#violations.check(values.length > 0, `${path}.content`, "must not be empty");
      const blocks = values.flatMap((block, at): Fields[] =>
        single(this.#block(block, role, `${path}.content[${at}]`)),
      );
      const last = turns.at(-1);
      if (last && last.role === role) last.blocks.push(...blocks);
      else turns.push({ role, blocks, path });
    }
    this.#violations.check(turns[0]?.role === "user", "messages", "first message must use the user role");
    this.#violations.check(turns.at(-1)?.role === "user", "messages", "the conversation must end with a user message");
    return turns;
  }

  #block(value: unknown, role: unknown, path: string): Fields | undefined {
    const block = this.#violations.object(value, path);
    if (!block) return undefined;
    const fields = FIELDS_OF_BLOCKS[String(block["type"])];
    if (!fields?.roles.includes(String(role))) {
      this.#violations.add(`${path}.type`, `${String(block["type"])} is not permitted in a ${String(role)} message`);
      return undefined;
    }
    this.#violations.object(block, path, ["type", ...fields.names]);
    if (block["type"] === "text") this.#violations.text(block["text"], `${path}.text`);
    if (block["type"] === "image" || block["type"] === "document") this.#source(block, path);
    if (block["type"] === "thinking") {
      this.#violations.check(typeof block["thinking"] === "string", `${path}.thinking`, "must be a text");
      this.#signature(block["signature"], `${path}.signature`);
    }
    if (block["type"] === "redacted_thinking") this.#signature(block["data"], `${path}.data`);
    if (block["type"] === "tool_use") this.#toolUse(block, path);
    if (block["type"] === "tool_result") this.#toolResult(block, path);
    this.#mark(block, path);
    return block;
  }

  #signature(value: unknown, path: string): void {
    this.#violations.check(
      typeof value === "string" && /^[A-Za-z0-9+/=_-]+$/.test(value),
      path,
      "invalid signature in thinking block",
    );
  }

  #source(block: Fields, path: string): void {
    const source = this.#violations.object(block["source"], `${path}.source`, ["type", "media_type", "data", "url"]);
    if (source?.["type"] === "url") return;
    const isDocument = block["type"] === "document";
    this.#violations.check(
      isDocument === (source?.["media_type"] === "application/pdf"),
      `${path}.source.media_type`,
      "does not fit the block",
    );
    this.#images.inspect(source?.["media_type"], source?.["data"], path);
  }

  #toolUse(block: Fields, path: string): void {
    this.#violations.check(
      typeof block["name"] === "string" && NAME.test(block["name"]),
      `${path}.name`,
      `must match ${NAME}`,
    );
    this.#violations.check(
      typeof block["id"] === "string" && NAME.test(block["id"]),
      `${path}.id`,
      `must match ${NAME}`,
    );
    this.#violations.check(!this.#callIds.has(String(block["id"])), `${path}.id`, "tool_use ids must be unique");
    this.#callIds.add(String(block["id"]));
    this.#violations.object(block["input"], `${path}.input`);
  }

  #toolResult(block: Fields, path: string): void {
    const { content, is_error: isError } = block;
    this.#violations.check(
      isError === undefined || typeof isError === "boolean",
      `${path}.is_error`,
      "must be a boolean",
    );
    if (content === undefined || typeof content === "string") return;
    for (const [index, value] of this.#violations.items(content, `${path}.content`).entries()) {
      const at = `${path}.content[${index}]`;
      const part = this.#violations.object(value, at, ["type", "text", "source", "cache_control"]);
      this.#violations.oneOf(part?.["type"], `${at}.type`, isError === true ? ["text"] : ["text", "image", "document"]);
      if (part?.["type"] === "text") this.#violations.text(part["text"], `${at}.text`);
      else if (part) this.#source(part, at);
      if (part) this.#mark(part, at);
    }
  }

  #checkPairing(turns: Turn[]): void {
    for (const [index, turn] of turns.entries()) {
      const calls = turn.blocks.filter((block) => block["type"] === "tool_use").map((block) => block["id"]);
      const next = turns[index + 1];
      const answers = (next?.blocks ?? [])
        .filter((block) => block["type"] === "tool_result")
        .map((block) => block["tool_use_id"]);
      if (turn.role !== "assistant") {
        if (index === 0)
          this.#violations.check(
            !turn.blocks.some((block) => block["type"] === "tool_result"),
            turn.path,
            "tool_result without tool_use before it",
          );
        continue;
      }
      this.#violations.check(!isThinking(turn.blocks.at(-1)), turn.path, "the final block must not be thinking");
      const firstCall = turn.blocks.findIndex((block) => block["type"] === "tool_use");
      const textAfter = firstCall >= 0 && turn.blocks.slice(firstCall).some((block) => block["type"] === "text");
      this.#violations.check(!textAfter, turn.path, "has text between tool_use and its tool_result");
      for (const id of calls)
        this.#violations.check(
          answers.filter((answer) => answer === id).length === 1,
          turn.path,
          `tool_use ${String(id)} needs exactly one tool_result immediately after`,
        );
      for (const id of answers)
        this.#violations.check(
          calls.includes(id),
          next?.path ?? "messages",
          `tool_result ${String(id)} has no tool_use in the message before`,
        );
      const blocks = next?.blocks ?? [];
      const firstOther = blocks.findIndex((block) => block["type"] !== "tool_result");
      const late = firstOther >= 0 && blocks.slice(firstOther).some((block) => block["type"] === "tool_result");
      this.#violations.check(!late, next?.path ?? "messages", "tool_result blocks come first");
    }
  }

  #checkThinking(turns: Turn[]): void {
    const { thinking, max_tokens: maxTokens, temperature, top_k: topK, tool_choice: choice } = this.#body;
    const loop = answersUnderWay(turns);
    const isOff = thinking === undefined || (thinking as Fields)["type"] === "disabled";
    if (isOff) this.#checkThinkingOff(loop);
    if (thinking === undefined) return;
    const fields = this.#violations.object(thinking, "thinking", ["type", "budget_tokens", "display"]);
    this.#violations.oneOf(fields?.["type"], "thinking.type", ["enabled", "disabled", "adaptive", "between_tools"]);
    if (isOff) return;
    if (fields?.["type"] === "enabled") {
      const budget = fields["budget_tokens"];
      this.#violations.integer(budget ?? 0, "thinking.budget_tokens", BUDGET_MIN);
      this.#violations.check(
        Number(maxTokens) > Number(budget),
        "max_tokens",
        "must be greater than thinking.budget_tokens",
      );
    }
    this.#violations.check(
      temperature === undefined || temperature === 1,
      "temperature",
      "may only be 1 when thinking is on",
    );
    this.#violations.check(topK === undefined, "top_k", "must be unset when thinking is on");
    const type = (choice as Fields | undefined)?.["type"];
    this.#violations.check(
      type !== "any" && type !== "tool",
      "tool_choice",
      "thinking may not be on when a tool is forced",
    );
    if (fields?.["type"] !== "enabled") return;
    this.#violations.check(
      loop.length === 0 || loop.some(({ blocks }) => blocks.some(isThinking)),
      loop[0]?.path ?? "messages",
      "expected thinking or redacted_thinking when thinking is on",
    );
  }

  #checkThinkingOff(loop: Turn[]): void {
    const thoughtful = loop.find(({ blocks }) => blocks.some(isThinking));
    this.#violations.check(
      thoughtful === undefined,
      thoughtful?.path ?? "messages",
      "an assistant message in the final position cannot contain thinking when thinking is off",
    );
  }

  #mark(holder: Fields, path: string): void {
    const mark = holder["cache_control"];
    if (mark === undefined) return;
    const fields = this.#violations.object(mark, `${path}.cache_control`, ["type", "ttl"]);
    this.#violations.oneOf(fields?.["type"], `${path}.cache_control.type`, ["ephemeral"]);
    if (fields?.["ttl"] !== undefined) this.#violations.oneOf(fields["ttl"], `${path}.cache_control.ttl`, ["5m", "1h"]);
    this.#violations.check(!isThinking(holder), path, "thinking cannot be marked");
    this.#marks.push(fields?.["ttl"] as string | undefined);
  }

  #checkMarks(): void {
    this.#violations.check(
      this.#marks.length <= CACHE_MARKS_MAX,
      "body",
      `a maximum of ${CACHE_MARKS_MAX} blocks with cache_control may be provided, found ${this.#marks.length}`,
    );
    const short = this.#marks.findIndex((ttl) => ttl !== "1h");
    this.#violations.check(
      short < 0 || !this.#marks.slice(short).includes("1h"),
      "body",
      "a 1h cache_control must not come after a 5m one",
    );
  }
}

/** The fields of each block beside its type, and who may say it. */
const FIELDS_OF_BLOCKS: Record<string, { names: readonly string[]; roles: readonly string[] }> = {
  text: { names: ["text", "cache_control", "citations"], roles: ["user", "assistant"] },
  image: { names: ["source", "cache_control"], roles: ["user"] },
  document: { names: ["source", "title", "context", "citations", "cache_control"], roles: ["user"] },
  thinking: { names: ["thinking", "signature", "cache_control"], roles: ["assistant"] },
  redacted_thinking: { names: ["data", "cache_control"], roles: ["assistant"] },
  tool_use: { names: ["id", "name", "input", "cache_control"], roles: ["assistant"] },
  tool_result: { names: ["tool_use_id", "content", "is_error", "cache_control"], roles: ["user"] },
};

const isThinking = (block: Fields | undefined): boolean =>
  block?.["type"] === "thinking" || block?.["type"] === "redacted_thinking";

/**
 * The answers of the tool loop that the request goes on with, the last first: the API counts them as one turn. It takes them where only
 * some of them thought, as the model itself often does (BerriAI/litellm#18926).
 */
function answersUnderWay(turns: readonly Turn[]): Turn[] {
  const answers: Turn[] = [];
  for (let index = turns.length - 1; index > 0; index -= 2) {
    const [answer, results] = [turns[index - 1], turns[index]];
    if (answer?.role !== "assistant" || !results?.blocks.some((block) => block["type"] === "tool_result")) break;
    answers.push(answer);
  }
  return answers;
}

function single(block: Fields | undefined): Fields[] {
  return block ? [block] : [];
}
