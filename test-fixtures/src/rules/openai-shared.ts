// Rules that OpenAI's two APIs share.
import { type ImageInspector, readDataUrl } from "./images.ts";
import { checkToolSchema, SCHEMA_RULES } from "./tool-schema.ts";
import type { Fields, Violations } from "./violations.ts";

/** What OpenAI looks at in images (vision guide, November 2026). */
export const OPENAI_IMAGE_RULES = {
  types: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  sizeMax: 50 * 1024 * 1024,
  sideMax: 65_535,
  countMax: 500,
};

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Checks the function inside a tool. Returns its name. */
export function checkFunction(fields: Fields, path: string, violations: Violations): unknown {
  const { name, description, parameters, strict } = fields;
  violations.check(typeof name === "string" && TOOL_NAME.test(name), `${path}.name`, `must match ${TOOL_NAME}`);
  violations.check(
    description === undefined || typeof description === "string",
    `${path}.description`,
    "must be a text",
  );
  const rules = strict === true ? SCHEMA_RULES["openai-strict"] : SCHEMA_RULES.openai;
  if (parameters !== undefined) checkToolSchema(parameters, rules, `${path}.parameters`, violations);
  return name;
}

/** Checks that arguments are the text of a JSON object. */
export function checkArguments(value: unknown, path: string, violations: Violations): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(String(value));
  } catch {
    parsed = undefined;
  }
  const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  violations.check(typeof value === "string" && isObject, path, "must be the text of a JSON object");
}

/** Checks an image or file that is given as a URL. */
export function checkUrl(
  url: unknown,
  isFile: boolean,
  path: string,
  images: ImageInspector,
  violations: Violations,
): void {
  if (!isFile && typeof url === "string" && /^https?:/.test(url)) return;
  const data = readDataUrl(url);
  if (!data) violations.add(path, "must be a data URL");
  else if (isFile !== (data.mimeType === "application/pdf")) violations.add(path, `must not be ${data.mimeType}`);
  else images.inspect(data.mimeType, data.data, path);
}

/** Fields that both APIs take and read alike. */
export function checkCommonFields(body: Fields, violations: Violations): void {
  violations.text(body["model"], "model");
  violations.range(body["temperature"], "temperature", 0, 2);
  violations.range(body["top_p"], "top_p", 0, 1);
  const { prompt_cache_key: key, prompt_cache_retention: retention, metadata } = body;
  if (key !== undefined)
    violations.check(
      typeof key === "string" && key.length <= 64,
      "prompt_cache_key",
      "must be a text of at most 64 characters",
    );
  if (retention !== undefined) violations.oneOf(retention, "prompt_cache_retention", ["in_memory", "24h"]);
  if (metadata === undefined) return;
  const pairs = Object.entries(violations.object(metadata, "metadata") ?? {});
  violations.check(pairs.length <= 16, "metadata", "must have at most 16 pairs");
  for (const [name, value] of pairs) {
    violations.check(
      name.length <= 64 && typeof value === "string" && value.length <= 512,
      `metadata.${name}`,
      "must be a text of at most 512 characters",
    );
  }
}

/** The levels of reasoning that some model takes. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
