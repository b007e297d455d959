// Reads `allOf`, `anyOf`, `oneOf` and `not`.
import { isObject, jsonTypeOf, shownJson } from "../json-values.ts";
import { describeSchema, failed, joined, listOf, type Reading, type Step } from "./walk.ts";

export const readAllOf: Step = (schema, value, path, depth, walk) =>
  listOf(schema["allOf"]).reduce(
    (reading: Reading, part) => joined(reading, walk.branches.read(part, reading.value, path, depth + 1, walk)),
    { value, problems: [] },
  );

/** `anyOf` and `oneOf`: a branch that fits as it stands goes before one that fits after coercion. */
export const readChoice: Step = (schema, value, path, depth, walk) => {
  let result: Reading = { value, problems: [] };
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema[keyword]);
    if (branches.length === 0) continue;
    const exact = { ...walk, coerce: false };
    const fitting = branches.filter(
      (branch) => walk.branches.read(branch, result.value, path, depth + 1, exact).problems.length === 0,
    );
    if (keyword === "oneOf" && fitting.length > 1 && fitting.every((branch) => isObject(branch))) {
      return joined(result, failed(value, path, "exactly one of the alternatives", "a value that fits several"));
    }
    if (fitting.length > 0) continue;
    const readings = branches.map((branch) => walk.branches.read(branch, result.value, path, depth + 1, walk));
    const best = readings.find((reading) => reading.problems.length === 0) ?? nearest(readings, branches, path, value);
    result = joined(result, best);
  }
  return result;
};

/**
 * The failure that tells most: of the branch that its constants say was meant, or else that is least wrong; if none gets
 * past its type, a list of what the branches want.
 */
function nearest(readings: Reading[], branches: unknown[], path: string, value: unknown): Reading {
  const inside = readings.filter((reading) => reading.problems.some((problem) => problem.path !== path));
  if (inside.length > 0) return inside.reduce((best, next) => (distance(next) < distance(best) ? next : best));
  const expected = [...new Set(branches.map(describeSchema))].join(" or ");
  return failed(value, path, expected, `${jsonTypeOf(value)} ${shownJson(value)}`);
}

function distance({ problems }: Reading): number {
  return problems.length + 1000 * problems.filter((problem) => problem.constant).length;
}

export const checkNot: Step = (schema, value, path, depth, walk) => {
  if (schema["not"] === undefined) return { value, problems: [] };
  const refused = walk.read(schema["not"], value, path, depth + 1, { ...walk, coerce: false }).problems.length === 0;
  return refused
    ? failed(value, path, `anything but ${shownJson(schema["not"])}`, shownJson(value))
    : { value, problems: [] };
};
