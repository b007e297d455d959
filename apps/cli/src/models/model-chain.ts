// The models of a session, in the order in which they are asked when one fails.
import type { Model, ThinkingLevel } from "@rondo/ai";

/** A model, and how hard it is to think. */
export interface ModelChoice {
  model: Model;
  thinking: ThinkingLevel;
}

/** Which models follow which. Whoever changes the model of a session by a list of names sets it anew. */
export class ModelChain {
  #choices: readonly ModelChoice[];

  constructor(choices: readonly ModelChoice[]) {
    this.#choices = choices;
  }

  set(choices: readonly ModelChoice[]): void {
    this.#choices = choices;
  }

  /** The models that come after one. A model that is none of the chain stands alone. */
  after({ provider, id }: Model): readonly ModelChoice[] {
    const place = this.#choices.findIndex(({ model }) => model.provider === provider && model.id === id);
    return place === -1 ? [] : this.#choices.slice(place + 1);
  }
}
