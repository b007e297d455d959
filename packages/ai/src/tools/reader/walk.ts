// What the parts of the schema reader share: the walk's state, the shape of their answers, and the words for them.
import { isObject, type JsonObject, shownJson } from "../json-values.ts";
import { compilePattern, type SafePattern } from "../pattern.ts";

/** One thing that does not fit: where, what was wanted, and what was there (absent if it speaks for itself). */
export interface Problem {
  path: string;
  expected: string;
  got?: string;
  /** The value had to be one constant: where alternatives are told apart by it, this was not the one that was meant. */
  constant?: true;
}

/** Most problems that one reading collects: nobody mends more at once, and nested `allOf` would double them with each level. */
const PROBLEMS_MAX = 200;

/** The value as read, and what was wrong with it. */
export interface Reading {
  value: unknown;
  problems: Problem[];
}

/** One reading of one value: the document, what is allowed, and how much work is left for an untrusted schema. */
export interface Walk {
  root: unknown;
  coerce: boolean;
  left: { visits: number; patternSteps: number };
  branches: BranchMemory;
  patterns: Map<string, SafePattern | undefined>;
  read: (schema: unknown, value: unknown, path: string, depth: number, walk: Walk) => Reading;
}

/**
 * What branches of `anyOf`, `oneOf` and `allOf` made of the value at a path. Unions of unions come back to the same branch and value by
 * many ways, as syntax trees do: without a memory that doubles the work with each level.
 */
export class BranchMemory {
  readonly #exact = new Map<unknown, Map<string, { from: unknown; reading: Reading }>>();
  readonly #coerced = new Map<unknown, Map<string, { from: unknown; reading: Reading }>>();

  read(branch: unknown, value: unknown, path: string, depth: number, walk: Walk): Reading {
    if (!isObject(branch) || !asksFurther(branch, value)) return walk.read(branch, value, path, depth, walk);
    const memory = walk.coerce ? this.#coerced : this.#exact;
    const readings = memory.get(branch) ?? new Map<string, { from: unknown; reading: Reading }>();
    memory.set(branch, readings);
    const known = readings.get(path);
    if (known !== undefined && Object.is(known.from, value)) return known.reading;
    const reading = walk.read(branch, value, path, depth, walk);
    readings.set(path, { from: value, reading });
    return reading;
  }
}

/** Whether reading goes deeper than this one schema; a single look costs less than remembering it. */
function asksFurther(schema: JsonObject, value: unknown): boolean {
  const looksInside = typeof value === "object" && value !== null;
  return looksInside || FURTHER_SCHEMAS.some((keyword) => schema[keyword] !== undefined);
}

const FURTHER_SCHEMAS = ["$ref", "anyOf", "oneOf", "allOf", "not", "if"];

/** One keyword's share of the reading. */
export type Step = (schema: JsonObject, value: unknown, path: string, depth: number, walk: Walk) => Reading;

export function failed(value: unknown, path: string, expected: string, got?: string): Reading {
  return { value, problems: [got === undefined ? { path, expected } : { path, expected, got }] };
}

export function joined(first: Reading, second: Reading): Reading {
  return { value: second.value, problems: [...first.problems, ...second.problems].slice(0, PROBLEMS_MAX) };
}

/** Whether a text matches a pattern, or undefined if that cannot be decided within the work that is left. */
export function matchesPattern(pattern: string, text: string, walk: Walk): boolean | undefined {
  if (!walk.patterns.has(pattern)) walk.patterns.set(pattern, compilePattern(pattern));
  const compiled = walk.patterns.get(pattern);
  const cost = compiled?.cost(text) ?? 0;
  if (compiled === undefined || cost > walk.left.patternSteps) return undefined;
  walk.left.patternSteps -= cost;
  return compiled.test(text);
}

/** The type names of a schema; `nullable` is OpenAPI's way to say "or null". */
export function typesOf(schema: JsonObject): string[] | undefined {
  const type = schema["type"];
  const types =
    typeof type === "string" ? [type] : Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
  if (types.length === 0) return undefined;
  return schema["nullable"] === true ? [...types, "null"] : types;
}

export function countProblems(schema: JsonObject, noun: string, count: number, path: string, unit: string): Problem[] {
  const [least, most] = [schema[`min${noun}`], schema[`max${noun}`]];
  const problems: Problem[] = [];
  if (typeof least === "number" && count < least)
    problems.push({ path, expected: `at least ${least} ${unit}`, got: `${count}` });
  if (typeof most === "number" && count > most)
    problems.push({ path, expected: `at most ${most} ${unit}`, got: `${count}` });
  return problems;
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function describeSchema(schema: unknown): string {
  if (!isObject(schema)) return "a value";
  if ("const" in schema) return shownJson(schema["const"]);
  if (Array.isArray(schema["enum"])) return `one of ${shownJson(schema["enum"])}`;
  return typesOf(schema)?.join(" or ") ?? "a value";
}

export function pathOf(path: string, key: string): string {
  const plain = /^[\w$-]+$/.test(key);
  if (path === "") return plain ? key : `[${shownJson(key)}]`;
  return plain ? `${path}.${key}` : `${path}[${shownJson(key)}]`;
}
