// Hands a text to the editor of the person's choice, and takes it back.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The command of the editor, from $VISUAL or $EDITOR. */
export function externalEditor(env: Record<string, string | undefined>): string | undefined {
  return env["VISUAL"] || env["EDITOR"] || undefined;
}

/** Lets the person edit a text, on the terminal that this process has. Gives `undefined` if the editor failed. */
export async function editExternally(command: string, text: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "rondo-edit-"));
  const file = join(folder, "prompt.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // Through a shell, since the variable may hold flags: EDITOR="code --wait".
    const child = spawn("sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
    const code = await new Promise((resolve) => {
      child.once("error", () => resolve(undefined));
      child.once("close", resolve);
    });
    return code === 0 ? (await readFile(file, "utf8")).replace(/\n$/, "") : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
