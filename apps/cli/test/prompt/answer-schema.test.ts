import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAnswerSchema } from "../../src/prompt/answer-schema.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

test.each([
  ['{\n  "type": object\n}', /^The schema .* is not valid JSON: line 2, column 11: /],
  ["[]", /holds no JSON Schema, which is an object\.$/],
  [undefined, /^There is no file /],
])("a schema that is none is told with its place: %j", async (content, expected) => {
  const path = join(temporaryFolder(), "schema.json");
  if (content !== undefined) writeFileSync(path, content);
  await expect(readAnswerSchema(path)).rejects.toThrow(expected);
});
