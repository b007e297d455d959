// Tests a `pattern` from a schema that nobody vetted, in time linear in the text: no backtracking, so no pattern can block
// the process. Each single-character piece is left to the engine's own RegExp; repetition and choice are ours.
// What this cannot run (look-around, back-references, very large repetitions) it says, and the caller skips the check.

const PATTERN_LENGTH_MAX = 1000;
const STATES_MAX = 2000;
/** Repetitions written out while compiling; bounds empty groups too, which need no states. */
const COPIES_MAX = 10_000;

/** Matches one character, asserts a position (`^`, `$`, `\b`, `\B`), or forks without reading. */
type State =
  | { kind: "character"; matches: (character: string) => boolean; next: number }
  | { kind: "assert"; holds: (before: string, after: string) => boolean; next: number }
  | { kind: "fork"; next: number[] }
  | { kind: "match" };

interface Program {
  states: State[];
  start: number;
}

/** A pattern that is safe to run: what one test would cost at most, in steps, and the test itself. */
export interface SafePattern {
  cost(text: string): number;
  test(text: string): boolean;
}

/** Compiles a pattern, or returns undefined if it is none or uses what cannot be run in linear time. */
export function compilePattern(source: string): SafePattern | undefined {
  if (source.length > PATTERN_LENGTH_MAX) return undefined;
  try {
    const program = new PatternCompiler(source).compile();
    return { cost: (text) => program.states.length * (text.length + 1), test: (text) => search(program, text) };
  } catch {
    return undefined;
  }
}

/** Runs all states side by side over the text; a match may start and end anywhere, as JSON Schema says. */
function search(program: Program, text: string): boolean {
  const characters = Array.from(text);
  let active = new Set<number>();
  for (let position = 0; position <= characters.length; position++) {
    const before = characters[position - 1] ?? "";
    const after = characters[position] ?? "";
    active.add(program.start);
    if (expand(program, active, before, after)) return true;
    const next = new Set<number>();
    for (const index of active) {
      const state = program.states[index] as State;
      if (state.kind === "character" && after !== "" && state.matches(after)) next.add(state.next);
    }
    active = next;
  }
  return false;
}

/** Follows forks and assertions until nothing is added. Returns whether the match state was reached. */
function expand(program: Program, active: Set<number>, before: string, after: string): boolean {
  for (const index of active) {
    const state = program.states[index] as State;
    if (state.kind === "match") return true;
    if (state.kind === "fork") for (const next of state.next) active.add(next);
    if (state.kind === "assert" && state.holds(before, after)) active.add(state.next);
  }
  return false;
}

/** A piece of pattern, built backwards: given the state that follows, it returns the state to enter by. */
type Piece = (next: number) => number;

const isWord = (character: string) => /^\w$/.test(character);
const ASSERTIONS: Record<string, (before: string, after: string) => boolean> = {
  "^": (before) => before === "",
  $: (_before, after) => after === "",
  "\\b": (before, after) => isWord(before) !== isWord(after),
  "\\B": (before, after) => isWord(before) === isWord(after),
};

const ATOM =
  /\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\c[A-Za-z]|\\[^1-9k]|\[(?:\\.|[^\]\\])*\]|[^()[\]|*+?\\]/suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;

class PatternCompiler {
  readonly #source: string;
  readonly #states: State[] = [];
  #position = 0;
  #copies = 0;

  constructor(source: string) {
    this.#source = source;
  }

  compile(): Program {
    const piece = this.#alternatives();
    if (this.#position < this.#source.length) throw new SyntaxError("unbalanced group");
    const start = piece(this.#add({ kind: "match" }));
    return { states: this.#states, start };
  }

  #add(state: State): number {
    if (this.#states.length >= STATES_MAX) throw new RangeError("too many states");
    return this.#states.push(state) - 1;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#position;
    const found = expression.exec(this.#source);
    if (!found) return undefined;
    this.#position += found[0].length;
    return found;
  }

  #alternatives(): Piece {
    const choices = [this.#sequence()];
    while (this.#source[this.#position] === "|") {
      this.#position++;
      choices.push(this.#sequence());
    }
    if (choices.length === 1) return choices[0] as Piece;
    return (next) => this.#add({ kind: "fork", next: choices.map((choice) => choice(next)) });
  }

  #sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.#position < this.#source.length && !/[|)]/.test(this.#source[this.#position] as string)) {
      pieces.push(this.#quantified(this.#single()));
    }
    return (next) => pieces.reduceRight((following, piece) => piece(following), next);
  }

  #single(): Piece {
    if (this.#take(/\(\?(?!:|<[^=!])/y)) throw new SyntaxError("look-around");
    if (this.#take(/\((?:\?:|\?<[^>]*>)?/y)) {
      const piece = this.#alternatives();
      if (!this.#take(/\)/y)) throw new SyntaxError("unbalanced group");
      return piece;
    }
    const assertion = this.#take(/[$^]|\\[bB]/y);
    if (assertion) {
      const holds = ASSERTIONS[assertion[0]] as (before: string, after: string) => boolean;
      return (next) => this.#add({ kind: "assert", holds, next });
    }
    const atom = this.#take(ATOM)?.[0];
    if (atom === undefined) throw new SyntaxError("not understood");
    const matches = characterTest(atom);
    return (next) => this.#add({ kind: "character", matches, next });
  }

  #quantified(piece: Piece): Piece {
    const found = this.#take(QUANTIFIER);
    if (!found) return piece;
    const { least, most } = bounds(found);
    return (next) => {
      let entry = next;
      if (most === undefined) entry = this.#loop(piece, next);
      for (let count = least; count < (most ?? least); count++) {
        entry = this.#add({ kind: "fork", next: [this.#copy(piece, entry), next] });
      }
      for (let count = 0; count < least; count++) entry = this.#copy(piece, entry);
      return entry;
    };
  }

  #copy(piece: Piece, next: number): number {
    if (++this.#copies > COPIES_MAX) throw new RangeError("too many repetitions");
    return piece(next);
  }

  #loop(piece: Piece, next: number): number {
    const fork: State = { kind: "fork", next: [next] };
    const entry = this.#add(fork);
    fork.next.push(this.#copy(piece, entry));
    return entry;
  }
}

/** How often a quantifier repeats; no `most` means without end. */
function bounds([, sign, from, comma, to]: RegExpExecArray): { least: number; most?: number } {
  if (sign === "?") return { least: 0, most: 1 };
  if (sign !== undefined) return { least: sign === "+" ? 1 : 0 };
  const least = Number(from);
  if (comma === undefined) return { least, most: least };
  return to ? { least, most: Number(to) } : { least };
}

/** Asks the engine about one character at a time, and remembers the answers. */
function characterTest(atom: string): (character: string) => boolean {
  const expression = singleCharacter(atom);
  const known = new Map<string, boolean>();
  return (character) => {
    let answer = known.get(character);
    if (answer === undefined) {
      answer = expression.test(character);
      known.set(character, answer);
    }
    return answer;
  };
}

/** Patterns in the wild escape more than the strict mode of RegExp allows; those are read in the lenient mode. */
function singleCharacter(atom: string): RegExp {
  try {
    return new RegExp(`^(?:${atom})$`, "u");
  } catch {
    return new RegExp(`^(?:${atom})$`);
  }
}
