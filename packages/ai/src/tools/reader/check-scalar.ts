// Checks the limits of texts and numbers.
import { shownJson } from "../json-values.ts";
import { countProblems, matchesPattern, type Problem, type Step } from "./walk.ts";

export const checkScalar: Step = (schema, value, path, _depth, walk) => {
  const problems: Problem[] = [];
  const wrong = (expected: string) => problems.push({ path, expected, got: shownJson(value) });
  const limit = (keyword: string) => (typeof schema[keyword] === "number" ? schema[keyword] : undefined);
  if (typeof value === "string") {
    problems.push(...countProblems(schema, "Length", Array.from(value).length, path, "characters"));
    const pattern = schema["pattern"];
    if (typeof pattern === "string" && matchesPattern(pattern, value, walk) === false)
      wrong(`text matching ${pattern}`);
  }
  if (typeof value === "number") {
    const [minimum, maximum] = [limit("minimum"), limit("maximum")];
    const [above, below] = [limit("exclusiveMinimum"), limit("exclusiveMaximum")];
    const multiple = limit("multipleOf");
    // The draft of 2013 says by a flag that the limit itself does not count.
    if (minimum !== undefined && value < minimum) wrong(`at least ${minimum}`);
    else if (schema["exclusiveMinimum"] === true && value === minimum) wrong(`more than ${minimum}`);
    if (maximum !== undefined && value > maximum) wrong(`at most ${maximum}`);
    else if (schema["exclusiveMaximum"] === true && value === maximum) wrong(`less than ${maximum}`);
    if (above !== undefined && value <= above) wrong(`more than ${above}`);
    if (below !== undefined && value >= below) wrong(`less than ${below}`);
    if (multiple !== undefined && multiple > 0 && !isMultiple(value, multiple)) wrong(`a multiple of ${multiple}`);
  }
  return { value, problems };
};

/** 0.3 is a multiple of 0.1, whatever binary fractions say. */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}
