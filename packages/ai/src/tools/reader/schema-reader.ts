// Reads a value by a JSON Schema (TypeBox or plain): checks it and, where asked, coerces without loss, in one walk. What was
// converted is in a copy, the rest is the value itself. Our own, because TypeBox's checks refuse schemas without its symbols, which is what MCP servers send, and
// cost 110 ms to import; it generates no code and cannot be made to run long. `format` is an annotation, as the
// specification says; an unresolvable `$ref`, an unknown type and a pattern that cannot be run safely pass.
import { equalJson, isObject, jsonTypeOf, shownJson } from "../json-values.ts";
import { coerced, isOfType } from "../lossless-coercion.ts";
import { resolveReference } from "../schema-references.ts";
import { checkContains, checkNames, readCondition, readDependencies } from "./check-conditions.ts";
import { checkScalar } from "./check-scalar.ts";
import { readArray } from "./read-array.ts";
import { checkNot, readAllOf, readChoice } from "./read-choice.ts";
import { readObject } from "./read-object.ts";
import { BranchMemory, failed, joined, type Reading, type Step, typesOf, type Walk } from "./walk.ts";

/** Deepest nesting of values and schemas together. */
const DEPTH_MAX = 400;
/** Most schema visits of one reading; unions of unions could otherwise take for ever. */
const VISITS_MAX = 300_000;
/** Most steps of patterns of one reading, some tenths of a second. */
const PATTERN_STEPS_MAX = 5_000_000;
/** Members of an enum that a message names. */
const MEMBERS_SHOWN_MAX = 30;

/** Thrown where the visits are used up: nothing that was found so far is worth finishing. */
const OUT_OF_WORK = new Error("The schema asks for too much work.");

/** Reads `value` by `schema`. With `coerce`, what fits only after a lossless conversion is converted. */
export function readBySchema(schema: unknown, value: unknown, coerce: boolean): Reading {
  const left = { visits: VISITS_MAX, patternSteps: PATTERN_STEPS_MAX };
  const walk: Walk = { root: schema, coerce, left, branches: new BranchMemory(), patterns: new Map(), read };
  try {
    return read(schema, value, "", 0, walk);
  } catch (error) {
    if (error !== OUT_OF_WORK) throw error;
    return failed(value, "", "simpler arguments: these are too complex to be checked");
  }
}

function read(schema: unknown, value: unknown, path: string, depth: number, walk: Walk): Reading {
  if (schema === false) return failed(value, path, "nothing", shownJson(value));
  if (!isObject(schema)) return { value, problems: [] };
  if (depth > DEPTH_MAX) return failed(value, path, `at most ${DEPTH_MAX} levels of nesting`);
  if (walk.left.visits-- <= 0) throw OUT_OF_WORK;

  let reading: Reading = { value, problems: [] };
  for (const step of STEPS) {
    const next = step(schema, reading.value, path, depth, walk);
    reading = reading.problems.length === 0 ? next : joined(reading, next);
    // What has the wrong type needs no further comment.
    if (step === readType && next.problems.length > 0) return reading;
  }
  return reading;
}

const readReference: Step = (schema, value, path, depth, walk) => {
  if (schema["$ref"] === undefined) return { value, problems: [] };
  // A chain of references that comes back to itself says nothing about the value.
  const chain = new Set<unknown>([schema]);
  const first = resolveReference(walk.root, schema["$ref"]);
  let target = first;
  while (isObject(target) && typeof target["$ref"] === "string" && !chain.has(target)) {
    chain.add(target);
    target = resolveReference(walk.root, target["$ref"]);
  }
  return first === undefined || chain.has(target) ? { value, problems: [] } : read(first, value, path, depth + 1, walk);
};

const readType: Step = (schema, value, path, _depth, walk) => {
  const types = typesOf(schema);
  if (types === undefined || isOfType(value, types)) return { value, problems: [] };
  const conversion = walk.coerce ? coerced(value, types) : undefined;
  if (conversion) return { value: conversion.value, problems: [] };
  return failed(value, path, types.join(" or "), value === null ? "null" : `${jsonTypeOf(value)} ${shownJson(value)}`);
};

const readEnum: Step = (schema, value, path, _depth, walk) => {
  const members = "const" in schema ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(members) || members.some((member) => equalJson(member, value))) return { value, problems: [] };
  if (value === null && schema["nullable"] === true) return { value, problems: [] };
  // Some dialects only have enums of strings, so that a model may have been shown "1" for 1.
  const spelled = walk.coerce ? members.find((member) => !isObject(member) && String(member) === value) : undefined;
  if (spelled !== undefined) return { value: spelled, problems: [] };
  const more = members.length > MEMBERS_SHOWN_MAX ? ` or ${members.length - MEMBERS_SHOWN_MAX} more` : "";
  const expected = `${members
    .slice(0, MEMBERS_SHOWN_MAX)
    .map((member) => shownJson(member, 60))
    .join(", ")}${more}`;
  const wanted = members.length === 1 ? expected : `one of ${expected}`;
  return {
    value,
    problems: [
      { path, expected: wanted, got: shownJson(value), ...(members.length === 1 && { constant: true as const }) },
    ],
  };
};

/** Conversions come first, so that the later steps see the value that the tool will get. */
const STEPS: readonly Step[] = [
  readReference,
  readType,
  readEnum,
  readObject,
  readArray,
  readAllOf,
  readChoice,
  readCondition,
  readDependencies,
  checkScalar,
  checkNames,
  checkContains,
  checkNot,
];
