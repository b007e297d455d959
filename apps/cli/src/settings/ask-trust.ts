// Asks the person at the terminal, before anything of a project is used, whether it is to be. The answer is kept for this content.
import { createInterface } from "node:readline/promises";
import type { Output } from "../terminal/output.ts";
import { describeProject } from "./describe-project.ts";
import { findProject } from "./project.ts";
import { Trust } from "./trust.ts";

/** Asks if there is something to ask about. Anything but yes is no. */
export async function askTrust(
  place: { root: string; home: string; dataFolder: string },
  input: NodeJS.ReadStream,
  output: Output,
): Promise<void> {
  const project = findProject(place.root, place.home);
  const trust = new Trust(place.dataFolder);
  if (project?.fingerprint === undefined || trust.isDecided(project)) return;
  const lines = await describeProject(project).catch((error: Error) => error);
  if (lines instanceof Error)
    return output.writeForeign(`What this project brings along is left alone: ${lines.message}\n`);
  await output.writeForeign(`${project.folder} brings something along. If you trust it, it\n`);
  for (const line of lines) await output.writeForeign(`  ${line}\n`);
  const questions = createInterface({ input, output: process.stdout });
  // Ctrl-C ends the command as it would without a question.
  questions.once("SIGINT", () => {
    questions.close();
    process.kill(process.pid, "SIGINT");
  });
  const answer = await questions.question(
    "Do you trust it? Without, rondo works here and leaves all of that alone. [y/N] ",
  );
  questions.close();
  if (/^y(es)?$/i.test(answer.trim())) await trust.add(project);
  else await trust.refuse(project);
}
