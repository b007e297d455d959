// The files below a folder, with ripgrep or without: sorted, hidden ones too, without what ignore files leave out and without .git.
import { runRipgrep } from "./ripgrep.ts";
import { walkFiles } from "./walk-files.ts";

/**
 * Hands over paths relative to the folder, until there are no more or `onFile` wants no more.
 *
 * @param ripgrep where it is; undefined to do without
 */
export async function listFiles(
  folder: string,
  ripgrep: string | undefined,
  signal: AbortSignal | undefined,
  onFile: (path: string) => boolean,
): Promise<void> {
  if (ripgrep === undefined) {
    for await (const file of walkFiles(folder, signal)) if (!onFile(file)) return;
    return;
  }
  let isAny = false;
  const args = ["--files", "--hidden", "--no-messages", "--sort=path", "--glob=!.git", "--", "."];
  const { exitCode, errorText } = await runRipgrep(ripgrep, args, folder, signal, (line) => {
    isAny = true;
    return onFile(line.replace(/^\.\//, ""));
  });
  if (exitCode === 2 && !isAny && errorText !== "") throw new Error(errorText);
}
