// Whether a screen can be drawn where the command was started.

/** Why there is no screen to work in, and what to do, as the rest of a sentence; undefined if there is one. */
export function screenObstacle({ stdin, stdout, env }: NodeJS.Process): string | undefined {
  if (stdin.isTTY !== true) return "standard input is no terminal";
  if (stdout.isTTY !== true) return "standard output is no terminal";
  if (env["TERM"] !== "dumb") return undefined;
  return "TERM is dumb, which stands for a terminal that can only print lines (TERM=xterm rondo, if it can do more)";
}
