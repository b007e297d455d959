// The themes that come with the command, as data: what is shown → how. A style is words: `bold`, `dim`, `italic`, `underline`,
// `strike`, one of the terminal's 16 colours by name (`red`, `bright-red`), one of 256 by number, or `#rrggbb`.

/** What has a style of its own. */
export const ROLES = [
  "accent",
  "muted",
  "border",
  "person",
  "thinking",
  "success",
  "warning",
  "error",
  "added",
  "removed",
  "hunk",
  "tool",
  "heading",
  "link",
  "code",
  "quote",
  "selected",
  "keyword",
  "string",
  "number",
  "comment",
  "function",
  "type",
] as const;

/** The name of a thing that has a style. */
export type Role = (typeof ROLES)[number];
/** A style for each thing. */
export type ThemeStyles = Record<Role, string>;

const ANSI_16: ThemeStyles = {
  accent: "cyan",
  muted: "dim",
  border: "dim",
  person: "bold",
  thinking: "dim italic",
  success: "green",
  warning: "yellow",
  error: "red",
  added: "green",
  removed: "red",
  hunk: "cyan",
  tool: "bold",
  heading: "bold cyan",
  link: "blue",
  code: "cyan",
  quote: "dim",
  selected: "bold cyan",
  keyword: "magenta",
  string: "green",
  number: "yellow",
  comment: "dim",
  function: "blue",
  type: "cyan",
};

/** For NO_COLOR: weight and slant alone. */
const PLAIN: ThemeStyles = {
  ...(Object.fromEntries(ROLES.map((role) => [role, ""])) as ThemeStyles),
  muted: "dim",
  border: "dim",
  person: "bold",
  thinking: "dim italic",
  error: "bold",
  tool: "bold",
  heading: "bold",
  selected: "bold",
  comment: "dim",
};

const DARK: ThemeStyles = {
  ...ANSI_16,
  accent: "80",
  muted: "245",
  border: "240",
  person: "bold 153",
  thinking: "italic 245",
  success: "114",
  warning: "179",
  error: "203",
  added: "114",
  removed: "203",
  hunk: "80",
  tool: "bold 252",
  heading: "bold 80",
  link: "111",
  code: "180",
  quote: "245",
  selected: "bold 80",
  keyword: "176",
  string: "150",
  number: "215",
  comment: "243",
  function: "111",
  type: "80",
};

const LIGHT: ThemeStyles = {
  ...ANSI_16,
  accent: "30",
  muted: "243",
  border: "249",
  person: "bold 25",
  thinking: "italic 243",
  success: "28",
  warning: "130",
  error: "160",
  added: "28",
  removed: "160",
  hunk: "30",
  tool: "bold 236",
  heading: "bold 30",
  link: "25",
  code: "94",
  quote: "243",
  selected: "bold 30",
  keyword: "90",
  string: "28",
  number: "130",
  comment: "245",
  function: "25",
  type: "30",
};

/** The themes by name. */
export const THEMES = { dark: DARK, light: LIGHT, ansi16: ANSI_16, plain: PLAIN } as const;
/** The name of a theme. */
export type ThemeName = keyof typeof THEMES;
