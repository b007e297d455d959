import { describe, expect, it } from "vitest";
import { recordedAnswers } from "./corpus.ts";
import { wholeFaults } from "./corpus-sweep.ts";

const SEED = 7;
const corpus = process.env["RONDO_CORPUS"];

describe.skipIf(!corpus)(`recordings of real servers (skipped unless RONDO_CORPUS names them; seed ${SEED})`, () => {
  const answers = corpus ? recordedAnswers(corpus) : [];

  it("all keep the grammar in random chunks", async () => {
    const faults: string[] = [];
    for (const answer of answers) faults.push(...(await wholeFaults(answer, SEED)));
    expect([answers.length > 0, faults]).toEqual([true, []]);
  });
});
