// Reads arrays and tuples.
import { countProblems, listOf, type Problem, type Step } from "./walk.ts";

export const readArray: Step = (schema, value, path, depth, walk) => {
  if (!Array.isArray(value)) return { value, problems: [] };
  // The older drafts write a tuple as a list of `items`, the newer ones as `prefixItems`.
  const tuple = Array.isArray(schema["items"]) ? schema["items"] : listOf(schema["prefixItems"]);
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  const problems: Problem[] = [];
  const items = value.map((item, index) => {
    const reading = walk.read(index < tuple.length ? tuple[index] : rest, item, `${path}[${index}]`, depth + 1, walk);
    for (const problem of reading.problems) problems.push(problem);
    return reading.value;
  });
  problems.push(...countProblems(schema, "Items", items.length, path, "items"));
  if (schema["uniqueItems"] === true && new Set(items.map((item) => JSON.stringify(item))).size < items.length) {
    problems.push({ path, expected: "items that differ from each other" });
  }
  const converted = items.some((item, index) => !Object.is(item, value[index]));
  return { value: converted ? items : value, problems };
};
