// Makes text that came from elsewhere (models, files, commands, servers) safe to show: it can take up space on a terminal and
// nothing more. No state, so it works on any piece of a stream.

/** C0 but tab and line feed, C1, and what turns the direction of writing or ends a line by another name. */
const COMMANDS = "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
/**
 * What takes up no space by Unicode's own word (Default_Ignorable_Code_Point), so that words can hide in it. Joiners and variation
 * selectors stay: emoji and some scripts are written with them.
 */
const HIDDEN = "[\\p{DI}\\ufff9-\\ufffb]--[\\u180b-\\u180d\\u180f\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";
const UNSAFE = new RegExp(`[${COMMANDS}]|[${HIDDEN}]|\\p{Surrogate}`, "gv");
const TAB = "    ";
const COLOURS = /\x1b\[[\d;:]*m/g;

/** The text with every control character but tab and line feed shown as an escape, among them ESC, CR and bidi controls. */
export function escapeForTerminal(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xffff) return `\\u{${code.toString(16)}}`;
    return code > 0xff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
}

/** The same for a screen of our own: tabs become blanks, and every line ends with a line feed alone. Nothing of it is hidden. */
export function cleanForScreen(text: string): string {
  return escapeForTerminal(/[\r\t]/.test(text) ? text.replace(/\t/g, TAB).replace(/\r+\n/g, "\n") : text);
}

/**
 * The same for what a command printed, as the terminal would have shown it in the end: its colours go, and a line that was
 * overwritten shows what it came to. Not for what a person is to judge by: the rest of such a line is not seen.
 */
export function cleanOutput(text: string): string {
  if (!/[\x1b\r]/.test(text)) return cleanForScreen(text);
  const lines = text.replace(COLOURS, "").replace(/\r+\n/g, "\n").split("\n");
  return cleanForScreen(lines.map((line) => line.replace(/^.*\r(?=[^\r])/s, "")).join("\n"));
}

/** Text that a person may edit and send: only what can be seen, with nothing in the place of the rest. */
export function withoutControls(text: string): string {
  return text.replace(UNSAFE, "");
}
