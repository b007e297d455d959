// The text and thinking of one answer, as blocks. It owns what is open, so that a run of text that something else interrupts becomes
// a block of its own, and inline thinking tags are told apart from text.
import type { MessageBuilder, TextBlock, ThinkingBlock } from "../../message-builder.ts";
import { ThinkTagSplitter } from "./think-tags.ts";

export class Prose {
  readonly #builder: MessageBuilder;
  readonly #tags: ThinkTagSplitter | undefined;
  #text: TextBlock | undefined;
  #thinking: ThinkingBlock | undefined;
  /** The first blocks, which can carry a signature after they have ended. */
  firstText: TextBlock | undefined;
  firstThinking: ThinkingBlock | undefined;

  constructor(builder: MessageBuilder, inlineThinkTags: boolean) {
    this.#builder = builder;
    this.#tags = inlineThinkTags
      ? new ThinkTagSplitter({
          text: (delta) => this.#writeText(delta),
          thinking: (delta) => this.#writeThinking(delta),
          unopenedThinkingEnded: () => this.#endText(),
        })
      : undefined;
    builder.beforeFailure(() => this.#tags?.flush());
  }

  /** Text of the answer, in which thinking may stand inline. */
  text(delta: string): void {
    if (this.#tags) this.#tags.write(delta);
    else this.#writeText(delta);
  }

  /** Thinking that came in a field of its own. */
  thinking(delta: string): void {
    if (delta === "") return;
    this.#tags?.flush();
    this.#writeThinking(delta);
  }

  /** Something else begins, or the answer is over. */
  close(): void {
    this.#tags?.flush();
    this.#endText();
    this.#endThinking();
  }

  #writeText(delta: string): void {
    if (delta === "") return;
    this.#endThinking();
    this.#text ??= this.#builder.openText();
    this.firstText ??= this.#text;
    this.#text.append(delta);
  }

  #writeThinking(delta: string): void {
    if (delta === "") return;
    this.#endText();
    this.#thinking ??= this.#builder.openThinking();
    this.firstThinking ??= this.#thinking;
    this.#thinking.append(delta);
  }

  #endText(): void {
    this.#text?.end();
    this.#text = undefined;
  }

  #endThinking(): void {
    this.#thinking?.end();
    this.#thinking = undefined;
  }
}
