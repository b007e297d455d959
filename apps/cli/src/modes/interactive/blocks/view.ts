// How blocks are to be shown: what they all share and a person can change while they are on the screen.
import type { Theme } from "../theme.ts";

/** The present look of things. */
export interface View {
  theme: Theme;
  /** Whether thinking is shown in full. */
  isThinkingShown: boolean;
  /** Whether all is shown of what tools were given and gave back. */
  areDetailsShown: boolean;
}
