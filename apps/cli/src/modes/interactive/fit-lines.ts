// The last word on the width of lines: the terminal library gives up on one that is wider than the screen. Also drops blanks at
// the end of lines, which cost bytes and would wrap when the screen becomes narrower.
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

/** A picture takes up its own lines, and foreign text holds no sequence. */
const PICTURE = /\x1b_G|\x1b\]1337;File=/;
/** Not the blank that is the cursor: it stands in inverse. */
const BLANKS_AT_END = /(?<!\x1b\[7m)[ ]+((?:\x1b\[[\d;]*m)*)$/;

/** The lines, none wider than `width`. */
export function fitLines(lines: string[], width: number): string[] {
  return lines.map((line) => {
    if (PICTURE.test(line)) return line;
    const short = line.replace(BLANKS_AT_END, "$1");
    if (short.length <= width && !/[^\x20-\x7e]/.test(short)) return short;
    if (visibleWidth(short) <= width) return short;
    const cut = truncateToWidth(short, width, "");
    // A character of two columns does not fit into one.
    return visibleWidth(cut) <= width ? cut : "";
  });
}
