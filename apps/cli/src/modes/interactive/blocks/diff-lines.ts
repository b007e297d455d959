// A unified diff in colours.
import { countOf } from "../../../presentation/count-of.ts";
import { cleanForScreen } from "../../../terminal/escape.ts";
import type { Theme } from "../theme.ts";

/**
 * The lines of a diff, at most `linesMax` of them and then how many more there are.
 *
 * @param charactersMax of a longer line the beginning is shown. Default: all of it
 */
export function diffLines(theme: Theme, diff: string, linesMax: number, charactersMax = Infinity): string[] {
  const lines = diff.split("\n").filter((line) => !line.startsWith("\\ No newline"));
  const shown = lines.slice(0, linesMax).map((line) => {
    const hidden = line.length - charactersMax;
    const clean = cleanForScreen(
      hidden > 0 ? `${line.slice(0, charactersMax)}… ${countOf(hidden, "character")} more` : line,
    );
    if (line.startsWith("+")) return theme.paint("added", clean);
    if (line.startsWith("-")) return theme.paint("removed", clean);
    return line.startsWith("@@") ? theme.paint("hunk", clean) : theme.paint("muted", clean);
  });
  const hidden = lines.length - shown.length;
  return hidden > 0 ? [...shown, theme.paint("muted", `… ${countOf(hidden, "line")} more`)] : shown;
}
