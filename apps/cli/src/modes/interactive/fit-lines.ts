// The last word on the width of lines: the terminal library gives up on one that is wider than the screen. Also drops blanks at
// the end of lines, which cost bytes and would wrap when the screen becomes narrower, and what would leave a line all the same:
// a line feed in a name, towers of marks that reach into the lines above and below.
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** A picture takes up its own lines, and foreign text holds no sequence. */
const PICTURE = /\x1b_G|\x1b\]1337;File=/;
/** Not the blank that is the cursor: it stands in inverse. */
const BLANKS_AT_END = /(?<!\x1b\[7m)[ ]+((?:\x1b\[[\d;]*m)*)$/;
/** No script puts more marks on one letter than the first of these; joiners are counted, since they take up no space either. */
const MARKS = /([\p{M}\u200c\u200d]{6})[\p{M}\u200c\u200d]+/gu;

/** The lines, none wider than `width`. */
export function fitLines(lines: string[], width: number): string[] {
  return lines.map((line) => {
    if (PICTURE.test(line)) return line;
    const plain = line.replace(BLANKS_AT_END, "$1");
    if (plain.length <= width && !/[^\x20-\x7e]/.test(plain)) return plain;
    const short = plain.replaceAll("\n", " ").replace(MARKS, "$1");
    if (visibleWidth(short) <= width) return short;
    const cut = truncateToWidth(short, width, "");
    // A character of two columns does not fit into one.
    return visibleWidth(cut) <= width ? cut : "";
  });
}
