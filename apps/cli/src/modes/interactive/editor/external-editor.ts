// Hands a text to the editor of the person's choice, and takes it back.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The command of the editor, from $VISUAL or $EDITOR. */
export function externalEditor(env: Record<string, string | undefined>): string | undefined {
  return env["VISUAL"] || env["EDITOR"] || undefined;
}

/** Variables before a command, or several commands. */
const IS_COMPOUND = /^\s*\w+=|[;&|(){}\n]/;
/** How long an editor may take to end when it is told to. */
const ENDING_MS = 1000;

/**
 * Lets the person edit a text, on the terminal that this process has.
 *
 * @param signal ends the editor; what was saved by then is the text
 * @returns `undefined` if the editor failed
 */
export async function editExternally(command: string, text: string, signal: AbortSignal): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "rondo-edit-"));
  const file = join(folder, "prompt.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // Through a shell, since the variable may hold flags: EDITOR="code --wait". A simple command takes its place, so that a signal
    // finds the editor.
    const start = IS_COMPOUND.test(command) ? command : `exec ${command}`;
    const child = spawn("sh", ["-c", `${start} "$1"`, "sh", file], { stdio: "inherit" });
    const onAbort = () => {
      child.kill();
      setTimeout(() => child.kill("SIGKILL"), ENDING_MS).unref();
    };
    signal.addEventListener("abort", onAbort);
    const code = await new Promise((resolve) => {
      child.once("error", () => resolve(undefined));
      child.once("close", resolve);
    });
    signal.removeEventListener("abort", onAbort);
    return code === 0 || signal.aborted ? (await readFile(file, "utf8")).replace(/\n$/, "") : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
