// One tool call: what it is called with while that comes in, what it reports while it runs, and what came of it.
import type { AgentToolResult } from "@rondo/agent";
import { refusalForPeople } from "../../../permissions/refusal-text.ts";
import { countOf } from "../../../presentation/count-of.ts";
import { describeArguments, resultText } from "../../../presentation/describe-call.ts";
import { cleanForScreen, cleanOutput } from "../../../terminal/escape.ts";
import { LOOKING_TOOLS } from "../../../tools/looking-tool.ts";
import type { Role } from "../themes.ts";
import { diffLines } from "./diff-lines.ts";
import { LinesBlock } from "./lines-block.ts";
import type { View } from "./view.ts";
import { wrapAfter } from "./wrap.ts";

const TAIL_LINES = 5;
/** Of a command that the person ran: they want to see what it printed. */
const OWN_TAIL_LINES = 20;
const HEAD_LINES = 4;
const FAILURE_LINES = 10;
const DIFF_LINES = 24;
const DETAIL_LINES = 1000;
/** Of a longer line, as in minified code, the beginning is shown, in a diff the change. */
const LINE_CHARACTERS_MAX = 500;
/** Of a long output only the end is looked at: cleaning all of it for each report would cost more than it shows. */
const TAIL_CHARACTERS = 20_000;
const INDENT = "  ";

type State = "streaming" | "waiting" | "running" | "done" | "failed";

const LOOKS: Record<State, { mark: string; role: Role }> = {
  streaming: { mark: "○ ", role: "muted" },
  waiting: { mark: "○ ", role: "muted" },
  running: { mark: "◐ ", role: "accent" },
  done: { mark: "● ", role: "success" },
  failed: { mark: "✗ ", role: "error" },
};

/** The name of a command that the person ran. */
export const OWN_COMMAND = "!";

/** A tool call on the screen. */
export class ToolBlock extends LinesBlock {
  readonly #view: View;
  #name: string;
  #args: Record<string, unknown> = {};
  #state: State = "streaming";
  #result: AgentToolResult | undefined;

  constructor(view: View, name: string) {
    super();
    this.#view = view;
    this.#name = name;
  }

  get isFinished(): boolean {
    return this.#state === "done" || this.#state === "failed";
  }

  /** The call as far as it is known. */
  setCall(name: string, args: Record<string, unknown>, isComplete: boolean): void {
    this.#name = name;
    this.#args = args;
    if (this.#state === "streaming" && isComplete) this.#state = "waiting";
    this.invalidate();
  }

  start(): void {
    this.#state = "running";
    this.invalidate();
  }

  update(partialResult: AgentToolResult): void {
    this.#result = partialResult;
    this.invalidate();
  }

  finish(result: AgentToolResult, isError: boolean): void {
    this.#result = result;
    this.#state = isError ? "failed" : "done";
    this.invalidate();
  }

  /** The same call, to be shown in another place. */
  copy(): ToolBlock {
    const copy = new ToolBlock(this.#view, this.#name);
    copy.setCall(this.#name, this.#args, true);
    return copy;
  }

  /** The call will not be run. */
  drop(): void {
    if (this.isFinished) return;
    this.#state = "failed";
    this.invalidate();
  }

  protected draw(width: number): string[] {
    const { paint } = this.#view.theme;
    const { mark, role } = LOOKS[this.#state];
    const title = `${paint("tool", cleanForScreen(this.#name))} ${cleanForScreen(this.#arguments())}`;
    const body = this.#body().flatMap((line) => wrapAfter(INDENT, line, width));
    return ["", ...wrapAfter(paint(role, mark), title.trimEnd(), width), ...body];
  }

  #arguments(): string {
    if (Object.keys(this.#args).length > 0) return describeArguments(this.#args);
    return this.#state === "streaming" ? "…" : "";
  }

  #body(): string[] {
    if (!this.#result) return this.#argumentLines();
    const { diff } = (this.#result.details ?? {}) as { diff?: unknown };
    const { areDetailsShown } = this.#view;
    if (this.#state === "done" && typeof diff === "string" && diff !== "")
      return areDetailsShown
        ? diffLines(this.#view.theme, diff, DETAIL_LINES)
        : diffLines(this.#view.theme, diff, DIFF_LINES, LINE_CHARACTERS_MAX);
    const whole = resultText(this.#result).trimEnd();
    if (areDetailsShown) return this.#head(whole, DETAIL_LINES);
    if (this.#name === OWN_COMMAND) return this.#tail(whole, OWN_TAIL_LINES);
    const text = refusalForPeople(whole) ?? whole;
    if (this.#state === "failed") return this.#tail(text, FAILURE_LINES);
    if (this.#name === "bash" || this.#state === "running") return this.#tail(text, TAIL_LINES);
    if (LOOKING_TOOLS.has(this.#name)) return [this.#muted(countOf(text === "" ? 0 : text.split("\n").length, "line"))];
    return this.#head(text, HEAD_LINES);
  }

  /** Of a text that is being written, its last lines. */
  #argumentLines(): string[] {
    const { content } = this.#args;
    if (this.#state !== "streaming" || typeof content !== "string") return [];
    return this.#tail(content, TAIL_LINES);
  }

  #head(text: string, linesMax: number): string[] {
    const lines = text.split("\n");
    const shown = cleanOutput(lines.slice(0, linesMax).join("\n")).split("\n");
    return [...shown.map((line) => this.#styled(line)), ...this.#more(lines.length - linesMax, "after")];
  }

  #tail(text: string, linesMax: number): string[] {
    const end = text.slice(-TAIL_CHARACTERS);
    const lines = cleanOutput(end).split("\n");
    const hidden = text.split("\n").length - Math.min(lines.length, linesMax);
    return [...this.#more(hidden, "before"), ...lines.slice(-linesMax).map((line) => this.#styled(line))];
  }

  #more(count: number, where: "before" | "after"): string[] {
    return count > 0 ? [this.#muted(`… ${countOf(count, "line")} ${where}`)] : [];
  }

  #styled(line: string): string {
    const isCut = line.length > LINE_CHARACTERS_MAX && !this.#view.areDetailsShown;
    const text = isCut ? `${line.slice(0, LINE_CHARACTERS_MAX)}…` : line;
    return this.#view.theme.paint(this.#state === "failed" ? "error" : "muted", text);
  }

  #muted(text: string): string {
    return this.#view.theme.paint("muted", text);
  }
}
