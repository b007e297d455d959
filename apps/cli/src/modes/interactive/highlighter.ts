// Colours for code. The library is loaded when the first code is shown, since most of the start-up time would be its own; until
// then code is plain. Its output is HTML that it has escaped itself; here the marks become styles and the escapes characters.
import { cleanForScreen } from "../../terminal/escape.ts";
import type { Paint } from "./theme.ts";
import type { Role } from "./themes.ts";

/** Longer code is left plain: colours would be made anew with every word that comes in. */
const CODE_CHARACTERS_MAX = 20_000;

const ROLE_OF_CLASS: Record<string, Role> = {
  keyword: "keyword",
  "selector-tag": "keyword",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  comment: "comment",
  quote: "comment",
  title: "function",
  function: "function",
  name: "keyword",
  built_in: "type",
  type: "type",
  class: "type",
  attr: "function",
  attribute: "function",
  variable: "type",
  addition: "added",
  deletion: "removed",
  meta: "comment",
};
const CHARACTERS: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&amp;": "&" };

type Library = typeof import("highlight.js")["default"];

/** Highlights code, once its library is there. */
export class Highlighter {
  readonly #onLoaded: () => void;
  #library: Library | undefined;
  #isLoading = false;

  /** @param onLoaded called when code that was shown plain can be shown in colours */
  constructor(onLoaded: () => void) {
    this.#onLoaded = onLoaded;
  }

  /** The lines of the code, which must be clean. */
  highlight(code: string, language: string | undefined, paintOf: (role: Role) => Paint): string[] {
    if (!this.#library) {
      if (language) void this.#load();
      return code.split("\n");
    }
    if (!language || code.length > CODE_CHARACTERS_MAX || !this.#library.getLanguage(language)) return code.split("\n");
    const { value } = this.#library.highlight(code, { language, ignoreIllegals: true });
    return styledLines(value, paintOf);
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#library = (await import("highlight.js/lib/common")).default;
    this.#onLoaded();
  }
}

/** Turns the library's HTML into styled lines; a style ends with its line and begins again on the next. */
function styledLines(html: string, paintOf: (role: Role) => Paint): string[] {
  const open: (Role | undefined)[] = [];
  let out = "";
  for (const [part, opened, closed] of html.matchAll(/<span class="hljs-([\w-]+)[^>]*>|(<\/span>)|[^<]+/g)) {
    if (opened !== undefined) open.push(ROLE_OF_CLASS[opened]);
    else if (closed !== undefined) open.pop();
    else {
      const role = open.findLast((each) => each !== undefined);
      const text = cleanForScreen(part.replace(/&(?:lt|gt|quot|amp|#x27);/g, (entity) => CHARACTERS[entity] ?? entity));
      out += role ? text.split("\n").map(paintOf(role)).join("\n") : text;
    }
  }
  return out.split("\n");
}
