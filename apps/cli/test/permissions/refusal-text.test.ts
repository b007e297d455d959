// What is said about a refused call: one sentence to people, more to the model, and flags that a shell takes as they are.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { allowFlags, refusalForPeople, refusalText } from "../../src/permissions/refusal-text.ts";

test("people get the first sentence, and text of others stays as it is", () => {
  const text = refusalText("bash", "the person said no", ["bash(make)"]);
  expect(text).toBe(
    "Refused: bash was not run, because the person said no.\nThe person can allow it with --allow 'bash(make)'. Do not try the " +
      "same in another way; go on without it or say what you need.",
  );
  expect(refusalForPeople(text)).toBe("Refused: bash was not run, because the person said no.");
  expect(refusalForPeople("Refused: by a server\nand more")).toBeUndefined();
});

test("the flags can be typed into a shell as they stand", () => {
  const rules = ["bash(git commit -m 'x (y)')", 'bash(grep "it\'s")'];
  const typed = execFileSync("bash", ["-c", `printf '%s\\n' ${allowFlags(rules)}`], { encoding: "utf8" });
  expect(typed.trimEnd().split("\n")).toEqual(["--allow", rules[0], "--allow", rules[1]]);
});
