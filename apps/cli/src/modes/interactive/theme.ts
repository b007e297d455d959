// Turns the words of a theme into the terminal's own styles, and into what the components of the terminal library want. Every
// style ends with what undoes it and nothing else, so that styles can be put into each other.
import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import type { Highlighter } from "./highlighter.ts";
import { ROLES, type Role, THEMES, type ThemeName, type ThemeStyles } from "./themes.ts";

const COLOUR_NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const ATTRIBUTES: Record<string, [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
};
const COLOUR_OFF = 39;

/** Puts a text into a style. */
export type Paint = (text: string) => string;

/** A theme, ready for use. */
export interface Theme {
  paint: (role: Role, text: string) => string;
  editor: EditorTheme;
  list: SelectListTheme;
  markdown: MarkdownTheme;
}

/** Makes a theme of a name and, where somebody wants some things otherwise, styles that take the place of its own. */
export function createTheme(name: ThemeName, highlighter: Highlighter, changes: Partial<ThemeStyles> = {}): Theme {
  const styles = { ...THEMES[name], ...changes };
  const paints = Object.fromEntries(ROLES.map((role) => [role, createPaint(styles[role])])) as Record<Role, Paint>;
  const list: SelectListTheme = {
    selectedPrefix: paints.selected,
    selectedText: paints.selected,
    description: paints.muted,
    scrollInfo: paints.muted,
    noMatch: paints.muted,
  };
  return {
    paint: (role, text) => paints[role](text),
    editor: { borderColor: paints.border, selectList: list },
    list,
    markdown: {
      heading: paints.heading,
      link: paints.link,
      linkUrl: paints.muted,
      code: paints.code,
      codeBlock: (text) => text,
      codeBlockBorder: paints.border,
      quote: paints.quote,
      quoteBorder: paints.border,
      hr: paints.border,
      listBullet: paints.accent,
      bold: createPaint("bold"),
      italic: createPaint("italic"),
      strikethrough: createPaint("strike"),
      underline: createPaint("underline"),
      highlightCode: (code, language) => highlighter.highlight(code, language, (role) => paints[role]),
    },
  };
}

/** The theme for a terminal of which only the environment is known. NO_COLOR wins. */
export function themeFor(env: Record<string, string | undefined>): ThemeName {
  if (env["NO_COLOR"]) return "plain";
  const hasManyColours = /256|truecolor|24bit/.test(`${env["TERM"]} ${env["COLORTERM"]}`);
  if (!hasManyColours) return "ansi16";
  // Some terminals tell their colours: `15;0` is white on black.
  const background = Number(/;(\d+)$/.exec(env["COLORFGBG"] ?? "")?.[1]);
  return background === 7 || background === 15 ? "light" : "dark";
}

/** What is wrong with a style; undefined if nothing is. */
export function styleProblem(style: string): string | undefined {
  const word = style.split(/\s+/).find((each) => each !== "" && !codesOf(each));
  if (word === undefined) return undefined;
  return `"${word}" is no style. There are ${Object.keys(ATTRIBUTES).join(", ")}, ${COLOUR_NAMES.join(", ")}, these with bright- before them, the numbers to 255, and colours like #ff8000.`;
}

/** Makes a style of its words. Words that mean nothing are left out. */
export function createPaint(style: string): Paint {
  let on = "";
  let off = "";
  for (const word of style.split(/\s+/)) {
    const codes = codesOf(word);
    if (!codes) continue;
    on += `\x1b[${codes[0]}m`;
    off = `\x1b[${codes[1]}m${off}`;
  }
  return on === "" ? (text) => text : (text) => (text === "" ? "" : `${on}${text}${off}`);
}

function codesOf(word: string): [on: number | string, off: number] | undefined {
  const attribute = ATTRIBUTES[word];
  if (attribute) return attribute;
  const index = COLOUR_NAMES.indexOf(word.replace(/^bright-/, ""));
  if (index !== -1) return [(word.startsWith("bright-") ? 90 : 30) + index, COLOUR_OFF];
  if (/^\d{1,3}$/.test(word) && Number(word) < 256) return [`38;5;${word}`, COLOUR_OFF];
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(word);
  if (!hex) return undefined;
  const parts = hex.slice(1).map((part) => Number.parseInt(part, 16));
  return [`38;2;${parts.join(";")}`, COLOUR_OFF];
}
