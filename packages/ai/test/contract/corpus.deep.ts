// Every recording cut at many places: RONDO_CUTS says at how many (a number, or `all` for every byte). Default 40.
import { describe, expect, it } from "vitest";
import { recordedAnswers } from "./corpus.ts";
import { damageFaults } from "./corpus-sweep.ts";

const SEED = Number(process.env["RONDO_SEED"] ?? 1);
const corpus = process.env["RONDO_CORPUS"];
const wanted = process.env["RONDO_CUTS"] ?? "40";
const cuts = wanted === "all" ? Number.POSITIVE_INFINITY : Number(wanted);

describe.skipIf(!corpus)(
  `recordings of real servers, damaged (needs RONDO_CORPUS; seed ${SEED}, ${wanted} cuts)`,
  () => {
    for (const answer of corpus ? recordedAnswers(corpus) : []) {
      it(answer.id, async () => {
        expect((await damageFaults(answer, cuts, SEED)).faults).toEqual([]);
      });
    }
  },
);
