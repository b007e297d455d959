// The parts of a running interactive session, as commands and keys see them.
import type { View } from "./blocks/view.ts";
import type { Conversation } from "./conversation.ts";
import type { Footer } from "./footer.ts";
import type { Screen } from "./screen.ts";
import type { SessionPort } from "./session-port.ts";
import type { Talk } from "./talk.ts";
import type { ThemeName } from "./themes.ts";
import type { Workbench } from "./workbench.ts";

/** All parts. */
export interface App {
  readonly session: SessionPort;
  readonly env: Record<string, string | undefined>;
  readonly home: string;
  readonly screen: Screen;
  readonly view: View;
  readonly workbench: Workbench;
  readonly conversation: Conversation;
  readonly footer: Footer;
  readonly talk: Talk;
  readonly themeName: ThemeName;
  setTheme(name: ThemeName): void;
  /** Lets something else have the terminal for a while. It must give it back soon after `signal`. */
  lend<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Shows that something is done for the person, who can stop it. */
  runErrand<T>(what: string, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends the run of the command. */
  leave(): void;
}
