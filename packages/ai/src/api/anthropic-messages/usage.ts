// Token counts of the Messages API. They come twice, at the start and (cumulative) at the end; gateways fill in only one of the two
// and put zeros in the other, so a zero never replaces a count.

import { countOf } from "../../decoding/token-count.ts";
import type { MessageBuilder, ReportedUsage } from "../../message-builder.ts";

export interface AnthropicUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_creation?: { ephemeral_1h_input_tokens?: number | null } | null;
  output_tokens_details?: { thinking_tokens?: number | null } | null;
  /** OpenRouter's compatible server says what it bills, in US dollars. */
  cost?: number | null;
}

export class UsageReader {
  readonly #builder: MessageBuilder;
  readonly #known: ReportedUsage = {};

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  read(usage: AnthropicUsage | null | undefined): void {
    if (!usage) return;
    this.#note("input", usage.input_tokens);
    this.#note("output", usage.output_tokens);
    this.#note("cacheRead", usage.cache_read_input_tokens);
    this.#note("cacheWrite", usage.cache_creation_input_tokens);
    this.#note("cacheWrite1h", usage.cache_creation?.ephemeral_1h_input_tokens);
    this.#note("reasoning", usage.output_tokens_details?.thinking_tokens);
    this.#note("billedTotal", usage.cost);
    this.#builder.usage(this.#known);
  }

  #note(name: keyof ReportedUsage, value: unknown): void {
    const count = countOf(value);
    if (count === undefined) return;
    if (count > 0 || this.#known[name] === undefined) this.#known[name] = count;
  }
}
