// One line above the editor that says what is going on. Always as high, so that nothing jumps when work begins or ends.
import { type Component, Loader, type TUI, truncateToWidth } from "@earendil-works/pi-tui";
import { cleanForScreen } from "../../terminal/escape.ts";
import type { Theme } from "./theme.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;

/** The line. */
export class ActivityLine implements Component {
  readonly #ui: TUI;
  readonly #getTheme: () => Theme;
  #hint = "";
  #what = "";
  #seconds = 0;
  #clock: NodeJS.Timeout | undefined;
  #loader: Loader | undefined;

  constructor(ui: TUI, getTheme: () => Theme) {
    this.#ui = ui;
    this.#getTheme = getTheme;
  }

  /** Shows that work is under way, what it is, and for how long. */
  work(what: string): void {
    this.#what = cleanForScreen(what);
    if (this.#loader) {
      this.#showTime();
      return;
    }
    this.#seconds = 0;
    this.#clock = setInterval(() => {
      this.#seconds++;
      this.#showTime();
    }, 1000);
    const { paint } = this.#getTheme();
    this.#loader = new Loader(
      this.#ui,
      (frame) => paint("accent", frame),
      (message) => paint("muted", message),
      this.#message(),
      { frames: FRAMES, intervalMs: FRAME_MS },
    );
  }

  /** Work has ended; `hint` says what one can do. */
  rest(hint: string): void {
    clearInterval(this.#clock);
    this.#loader?.stop();
    this.#loader = undefined;
    this.#hint = hint;
    this.#ui.requestRender();
  }

  #showTime(): void {
    this.#loader?.setMessage(this.#message());
  }

  #message(): string {
    const time =
      this.#seconds < 60 ? `${this.#seconds} s` : `${Math.floor(this.#seconds / 60)} min ${this.#seconds % 60} s`;
    return `${time} · ${this.#what}`;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const line = this.#loader
      ? (this.#loader.render(Math.max(3, width))[1] ?? "").trim()
      : this.#getTheme().paint("muted", this.#hint);
    return ["", truncateToWidth(line, width, "…")];
  }
}
