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
  #loader: Loader | undefined;

  constructor(ui: TUI, getTheme: () => Theme) {
    this.#ui = ui;
    this.#getTheme = getTheme;
  }

  /** Shows that work is under way, and what it is. */
  work(what: string): void {
    const text = cleanForScreen(what);
    if (this.#loader) {
      this.#loader.setMessage(text);
      return;
    }
    const { paint } = this.#getTheme();
    this.#loader = new Loader(
      this.#ui,
      (frame) => paint("accent", frame),
      (message) => paint("muted", message),
      text,
      { frames: FRAMES, intervalMs: FRAME_MS },
    );
  }

  /** Work has ended; `hint` says what one can do. */
  rest(hint: string): void {
    this.#loader?.stop();
    this.#loader = undefined;
    this.#hint = hint;
    this.#ui.requestRender();
  }

  invalidate(): void {}

  render(width: number): string[] {
    const line = this.#loader
      ? (this.#loader.render(Math.max(3, width))[1] ?? "").trim()
      : this.#getTheme().paint("muted", this.#hint);
    return ["", truncateToWidth(line, width, "…")];
  }
}
