// rondo trust: lets a project's own settings, extensions, servers, skills and prompts hold, or no longer.
import { type Ending, UsageError } from "../exit-codes.ts";
import { describeProject } from "../settings/describe-project.ts";
import type { SettingsPlaces } from "../settings/layers.ts";
import { findProject } from "../settings/project.ts";
import { Trust } from "../settings/trust.ts";
import type { Output } from "../terminal/output.ts";

/** Trusts the project of this folder as it is, and says what that means; `remove` takes it back. */
export async function runTrust(operands: string[], places: SettingsPlaces, output: Output): Promise<Ending> {
  const [action, ...rest] = operands;
  if (rest.length > 0 || (action !== undefined && action !== "remove"))
    throw new UsageError("Write rondo trust or rondo trust remove.");
  const trust = new Trust(places.dataFolder);
  const project = findProject(places.root, places.home);
  if (action === "remove") {
    const was = await trust.remove(project?.folder ?? places.root);
    await output.writeForeign(
      `${project?.folder ?? places.root} ${was ? "is no longer trusted" : "was not trusted"}.\n`,
    );
    return "done";
  }
  if (!project) throw new UsageError("This folder brings nothing along that would have to be trusted.");
  const lines = await describeProject(project);
  await trust.add(project);
  await output.writeForeign(`${project.folder} is trusted as it is now. From now on it\n`);
  for (const line of lines) await output.writeForeign(`  ${line}\n`);
  return "done";
}
