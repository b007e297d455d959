// Something that stands where the editor stands and has the keys until it is closed.
import type { Component } from "@earendil-works/pi-tui";

/** A dialog. */
export interface Dialog extends Component {
  handleInput(data: string): void;
  /** Ends it without an answer. */
  cancel(): void;
}
