// Standard output and standard error of one run: colours where they are wanted, escapes where a terminal reads, and a quiet end
// where the reader has gone.
import { styleText } from "node:util";
import { escapeForTerminal } from "./escape.ts";

type Style = Parameters<typeof styleText>[0];

/** A stream that somebody may be reading. */
interface Target {
  isTTY?: boolean;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: "drain" | "close" | "error", listener: () => void): unknown;
  off(event: "drain" | "close", listener: () => void): unknown;
}

/** One of the two streams of the command. */
export class Output {
  readonly #target: Target;
  /** That of the beginning: what others write later may go elsewhere. */
  readonly #writeOut: Target["write"];
  readonly #colour: boolean;
  readonly isTerminal: boolean;
  #broken = false;
  #atLineStart = true;

  /** @param onBroken called once when the reader has gone, as in `rondo … | head -1` */
  constructor(target: Target, env: Record<string, string | undefined>, onBroken: () => void = () => {}) {
    this.#target = target;
    this.#writeOut = target.write.bind(target);
    this.isTerminal = target.isTTY === true;
    this.#colour = wantsColour(this.isTerminal, env);
    target.on("error", () => {
      if (!this.#broken) onBroken();
      this.#broken = true;
    });
  }

  /** Writes as it is. Resolves when more is welcome, so that a slow reader is waited for and not piled up on. */
  async write(text: string): Promise<void> {
    if (this.#broken || text === "") return;
    this.#atLineStart = text.endsWith("\n");
    if (this.#writeOut(text, () => {})) return;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        this.#target.off("drain", goOn);
        this.#target.off("close", goOn);
        resolve();
      };
      this.#target.on("drain", goOn);
      this.#target.on("close", goOn);
    });
  }

  /** Writes text that came from elsewhere: on a terminal without the control characters in it. */
  writeForeign(text: string): Promise<void> {
    return this.write(this.escape(text));
  }

  /** Text that came from elsewhere as it may be written here. Escape before you style: it would undo the style. */
  escape(text: string): string {
    return this.isTerminal ? escapeForTerminal(text) : text;
  }

  /** Ends the line, if one is open. */
  async endLine(): Promise<void> {
    if (!this.#atLineStart) await this.write("\n");
  }

  /** The text in a style, where colour is wanted. */
  style(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** NO_COLOR wins, then FORCE_COLOR; else colour is for terminals that are not dumb. */
function wantsColour(isTerminal: boolean, env: Record<string, string | undefined>): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"] !== undefined) return env["FORCE_COLOR"] !== "0";
  return isTerminal && env["TERM"] !== "dumb";
}
