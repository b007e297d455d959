// The last lines of the screen: where we are, which model works, what the session has used. The context is measured as messages end,
// so that a frame costs the same however long the session is.
import type { Component } from "@earendil-works/pi-tui";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { AgentEvent } from "@rondo/agent";
import { cleanForScreen } from "../../terminal/escape.ts";
import { formatCost, formatTokens } from "./format.ts";
import type { SessionPort } from "./session-port.ts";
import type { Theme } from "./theme.ts";

/** Above this share of the context window the count is in the colour of a warning. */
const WINDOW_USED_WARNING = 0.8;

/** The footer. */
export class Footer implements Component {
  readonly #session: SessionPort;
  readonly #home: string;
  readonly #getTheme: () => Theme;
  #contextTokens = 0;

  constructor(session: SessionPort, home: string, getTheme: () => Theme) {
    this.#session = session;
    this.#home = home;
    this.#getTheme = getTheme;
  }

  /** Takes the next event of the agent. */
  handle(event: AgentEvent): void {
    if (event.type === "message_end") this.measure();
  }

  /** Measures the context anew, after what the model reads has been changed. */
  measure(): void {
    this.#contextTokens = this.#session.contextTokens();
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { model, thinkingLevel } = this.#session.agent.state;
    const { paint } = this.#getTheme();
    const folder = this.#session.root.startsWith(this.#home)
      ? `~${this.#session.root.slice(this.#home.length)}`
      : this.#session.root;
    const place = [folder, this.#session.name].filter((part) => part !== undefined).join(" · ");
    const level = thinkingLevel === "off" ? "" : ` · ${thinkingLevel}`;
    const left = paint("muted", cleanForScreen(place));
    const right = paint("muted", cleanForScreen(`${model.provider}/${model.id}${level}`));
    return [spread(left, right, width), truncateToWidth(this.#counts(), width, "…")];
  }

  #counts(): string {
    const { paint } = this.#getTheme();
    const { contextWindow } = this.#session.agent.state.model;
    const { all } = this.#session.usage;
    const share = contextWindow ? this.#contextTokens / contextWindow : 0;
    const context = contextWindow
      ? `${Math.round(share * 100)} % of ${formatTokens(contextWindow)}`
      : `${formatTokens(this.#contextTokens)} tokens`;
    const cached = all.cacheRead > 0 ? ` ⟲${formatTokens(all.cacheRead)}` : "";
    return [
      paint(share > WINDOW_USED_WARNING ? "warning" : "muted", `context ${context}`),
      paint("muted", `↑${formatTokens(all.input)} ↓${formatTokens(all.output)}${cached}`),
      paint("muted", formatCost(all)),
    ].join(paint("muted", " · "));
  }
}

/** One text at each end of a line; the right one goes where there is no room for both. */
function spread(left: string, right: string, width: number): string {
  const gap = width - visibleWidth(left) - visibleWidth(right);
  if (gap >= 1) return left + " ".repeat(gap) + right;
  const room = width - visibleWidth(right) - 1;
  if (room < 8) return truncateToWidth(right, width, "…");
  return `${truncateToWidth(left, room, "…")} ${right}`;
}
