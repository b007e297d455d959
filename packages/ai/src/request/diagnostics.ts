// What a request builder has to tell the caller: options that were left out or changed. One wording for all APIs.
import type { Diagnostic, Model } from "../types.ts";

/** Collects the diagnostics of one request. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];

  add(code: string, message: string): void {
    this.list.push({ code, message });
  }

  /** An option that this API or model cannot honour. */
  ignored(option: string, model: Model, why?: string): void {
    this.add(
      "option_ignored",
      `The option ${option} was left out for ${model.id}: ${why ?? "it is not supported there"}.`,
    );
  }

  /** An option that was sent otherwise than asked. */
  changed(option: string, how: string): void {
    this.add("option_changed", `The option ${option} was changed: ${how}.`);
  }
}
