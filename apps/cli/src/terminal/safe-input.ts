// Keys and pastes without what a terminal would obey when they are drawn: a paste is text that somebody else wrote.
import { withoutControls } from "./escape.ts";

const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** A control character of a paste, as tmux writes it where it encodes keys so: the code of the key, with Ctrl. */
const ENCODED_CONTROL = /\x1b\[(\d{2,3});5u/g;
const CONTROL_BITS = 0x1f;
/** What keys of the terminal itself begin with is ASCII. */
const ASCII_MAX = 0x7f;

/** One key or one whole paste, as the terminal gave it. Empty if nothing is left of it. */
export function safeInput(data: string): string {
  if (!data.startsWith(PASTE_BEGIN)) return data.charCodeAt(0) > ASCII_MAX ? withoutControls(data) : data;
  const end = data.lastIndexOf(PASTE_END);
  const text = data
    .slice(PASTE_BEGIN.length, end === -1 ? undefined : end)
    .replace(ENCODED_CONTROL, (_, code) => String.fromCharCode(Number(code) & CONTROL_BITS))
    .replace(/\r\n?/g, "\n");
  return PASTE_BEGIN + withoutControls(text) + PASTE_END;
}
