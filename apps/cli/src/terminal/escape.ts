// Makes text that came from elsewhere (models, files, commands, servers) safe to show: it can take up space on a terminal and
// nothing more. No state, so it works on any piece of a stream.

const COMMANDS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text with every control character but tab and line feed shown as an escape, among them ESC, CR and bidi controls. */
export function escapeForTerminal(text: string): string {
  return text.replace(COMMANDS, (character) => {
    const code = character.charCodeAt(0);
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
}
