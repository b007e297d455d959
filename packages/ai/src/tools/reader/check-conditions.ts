// Checks what depends on something else of the value: `if`, the dependencies between names, `propertyNames`, `contains`.
import { isObject, shownJson } from "../json-values.ts";
import { describeSchema, failed, joined, type Problem, pathOf, type Reading, type Step } from "./walk.ts";

export const readCondition: Step = (schema, value, path, depth, walk) => {
  if (schema["if"] === undefined) return { value, problems: [] };
  const holds = walk.read(schema["if"], value, path, depth + 1, { ...walk, coerce: false }).problems.length === 0;
  return walk.branches.read(schema[holds ? "then" : "else"], value, path, depth + 1, walk);
};

/** What a name in the object demands: other names, or a schema. The older drafts write both as `dependencies`. */
export const readDependencies: Step = (schema, value, path, depth, walk) => {
  let reading: Reading = { value, problems: [] };
  if (!isObject(value)) return reading;
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    const dependencies = isObject(schema[keyword]) ? schema[keyword] : {};
    for (const [name, demand] of Object.entries(dependencies)) {
      if (!Object.hasOwn(value, name)) continue;
      if (!Array.isArray(demand)) {
        reading = joined(reading, walk.branches.read(demand, reading.value, path, depth + 1, walk));
        continue;
      }
      for (const other of demand) {
        if (typeof other !== "string" || Object.hasOwn(value, other)) continue;
        const expected = describeSchema(isObject(schema["properties"]) ? schema["properties"][other] : undefined);
        const got = `nothing: it is required together with ${shownJson(name, 60)}`;
        reading = joined(reading, failed(reading.value, pathOf(path, other), expected, got));
      }
    }
  }
  return reading;
};

export const checkNames: Step = (schema, value, path, depth, walk) => {
  const names = schema["propertyNames"];
  if (names === undefined || !isObject(value)) return { value, problems: [] };
  const problems = Object.keys(value).flatMap((name): Problem[] => {
    const [problem] = walk.read(names, name, "", depth + 1, { ...walk, coerce: false }).problems;
    return problem ? [{ path: pathOf(path, name), expected: `a name that is ${problem.expected}` }] : [];
  });
  return { value, problems };
};

export const checkContains: Step = (schema, value, path, depth, walk) => {
  const wanted = schema["contains"];
  if (wanted === undefined || !Array.isArray(value)) return { value, problems: [] };
  const exact = { ...walk, coerce: false };
  const fits = (item: unknown) => walk.read(wanted, item, path, depth + 1, exact).problems.length === 0;
  const count = value.filter(fits).length;
  const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
  const most = typeof schema["maxContains"] === "number" ? schema["maxContains"] : Number.POSITIVE_INFINITY;
  if (count >= least && count <= most) return { value, problems: [] };
  const limit = count < least ? `at least ${least}` : `at most ${most}`;
  return failed(value, path, `${limit} of its items to be ${describeSchema(wanted)}`, `${count}`);
};
