// What an import costs: CPU of a program that does nothing else, over `node -e 0` in the same run.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cpuOfProgram, inTurns } from "../measure.mjs";

const TARGET_MS = 15;
const OURS = ["@rondo/ai", "@rondo/agent"];
const PEERS = ["@earendil-works/pi-ai", "ai", "@langchain/core/messages", "@openai/agents"];

export const title = "Import";
export const note = `CPU milliseconds over \`node -e 0\`, medians of 7. Target: at most ${TARGET_MS}.`;

export async function measure() {
  const program = (folder, name) => {
    const file = fileURLToPath(
      new URL(`../${folder}/import-${name.replaceAll(/\W+/g, "-")}.generated.mjs`, import.meta.url),
    );
    writeFileSync(file, `import ${JSON.stringify(name)};\n`);
    return () => cpuOfProgram([file]);
  };
  const measurements = { nothing: () => cpuOfProgram(["-e", "0"]) };
  for (const name of OURS) measurements[name] = program("subjects", name);
  for (const name of PEERS) measurements[name] = program("peers", name);
  const costs = await inTurns(measurements, { rounds: 7, warmUps: 0 });
  return [...OURS, ...PEERS].map((name) => {
    const over = costs[name] - costs.nothing;
    const target = OURS.includes(name) ? (over <= TARGET_MS ? "met" : "missed") : "";
    return {
      package: name,
      "ms over node -e 0": over.toFixed(0),
      "as a part of node -e 0": (over / costs.nothing).toFixed(2),
      target,
    };
  });
}
