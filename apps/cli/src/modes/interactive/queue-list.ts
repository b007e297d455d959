// What the person has said and the model has not heard yet.
import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { Agent, AgentMessage } from "@rondo/agent";
import type { UserMessage } from "@rondo/ai";
import { cleanForScreen } from "../../terminal/escape.ts";
import { personText } from "./blocks/person.ts";
import type { Theme } from "./theme.ts";

const LINES_MAX = 5;
/** More than goes into a line of any screen. */
const CHARACTERS_MAX = 1000;

/** The list. */
export class QueueList implements Component {
  readonly #agent: Agent;
  readonly #getTheme: () => Theme;

  constructor(agent: Agent, getTheme: () => Theme) {
    this.#agent = agent;
    this.#getTheme = getTheme;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { steering, followUps } = this.#agent.queuedMessages;
    const lines = [
      ...steering.map((message) => describe("next", message)),
      ...followUps.map((message) => describe("then", message)),
    ];
    if (lines.length === 0) return [];
    const hidden = lines.length - LINES_MAX;
    const shown = hidden > 0 ? [...lines.slice(0, LINES_MAX), `… ${hidden} more`] : lines;
    const { paint } = this.#getTheme();
    return [...shown, "Alt+Up takes the last one back"].map((line) =>
      truncateToWidth(paint("muted", line), width, "…"),
    );
  }
}

function describe(when: "next" | "then", message: AgentMessage): string {
  return `↳ ${when}: ${cleanForScreen(personText(message as UserMessage).slice(0, CHARACTERS_MAX)).replace(/\s+/g, " ")}`;
}
