// How much work the marks within a Markdown text can make: the terminal library looks for the end of each link and emphasis up to
// the end of its paragraph, so that those without an end cost the square of their number. An estimate, rather too high than too low.

/** What may begin a link or an emphasis. Other marks cost little. */
const OPENER = /\[|\*+(?=[^\s*])|(?<![\p{L}\p{N}_])_+(?=[^\s_])/gu;
const QUOTATION = /^(?: {0,3}>)+/;
const ITEM = /^( *)(?:([-*+])|(\d{1,9})[.)]) +\S/;
const HEADING = /^ {0,3}#{1,6} /;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** Within HTML a fence is none. */
const HTML = /^[ >]*</m;
const TABLE_RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;
/** Of paragraphs with less, the work grows with the text and no faster. */
const SMALL_WORK = 5000;
/** Farther to the right it is no mark of a block. */
const INDENT_MAX = 3;

/** Characters that are looked at, at most: those of each paragraph times the marks in it. Little work counts as none. */
export function inlineWork(text: string): number {
  if (work(text) <= SMALL_WORK) return 0;
  return paragraphs(text)
    .map(work)
    .filter((one) => one > SMALL_WORK)
    .reduce((sum, one) => sum + one, 0);
}

function work(text: string): number {
  return (text.match(OPENER)?.length ?? 0) * text.length;
}

/** Pieces that are parsed by themselves, or several of them as one where it is not sure. Code between fences is left out. */
function paragraphs(text: string): string[] {
  const parts: string[] = [];
  const hasFences = !HTML.test(text);
  let fence: string | undefined;
  let item: { indent: number } | undefined;
  let isTable = false;
  let isOpen = false;
  const lines = text.split("\n");
  for (const [index, whole] of lines.entries()) {
    if (fence !== undefined) {
      if (isClosing(whole, fence)) fence = undefined;
      continue;
    }
    fence = hasFences && !item ? FENCE.exec(whole)?.[1] : undefined;
    const line = whole.replace(QUOTATION, "");
    if (fence !== undefined || line.trim() === "") {
      isOpen = false;
      isTable = false;
      continue;
    }
    if (!isOpen && !line.startsWith(" ")) item = undefined;
    if (!isOpen) isTable = isTableStart(line, lines[index + 1] ?? "");
    const begun = itemIn(line, item);
    item = begun ?? item;
    if (isOpen && !isTable && !begun && !HEADING.test(line)) parts.push(`${parts.pop()}\n${line}`);
    else parts.push(line);
    isOpen = true;
  }
  return parts;
}

/** The item of a list that begins in a line, after that of the lines before. */
function itemIn(line: string, before: { indent: number } | undefined): { indent: number } | undefined {
  const [, blanks, bullet, number] = ITEM.exec(line) ?? [];
  if (blanks === undefined) return undefined;
  const indent = blanks.length;
  // A number other than 1 within a paragraph is no item, unless its list has begun.
  const isInterrupting = bullet !== undefined || Number(number) === 1;
  const indentMax = !before ? INDENT_MAX : isInterrupting ? before.indent + 2 + INDENT_MAX : before.indent + 1;
  return (before || isInterrupting) && indent <= indentMax ? { indent } : undefined;
}

function isClosing(line: string, fence: string): boolean {
  const marks = line.trim();
  return /^ {0,3}\S/.test(line) && marks.length >= fence.length && marks === fence.charAt(0).repeat(marks.length);
}

function isTableStart(line: string, rule: string): boolean {
  const columns = (row: string) =>
    row
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|").length;
  return TABLE_RULE.test(rule) && columns(line) === columns(rule);
}
