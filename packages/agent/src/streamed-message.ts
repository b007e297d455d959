// The place of a message in the conversation while it is being streamed: the last entry of context.messages, replaced by
// the final message at its end, taken out again when the attempt is to be repeated.
import type { AssistantMessage, AssistantMessageEvent } from "@rondo/ai";
import type { Run } from "./run.ts";
import type { RetryNotice } from "./types.ts";

export class StreamedMessage {
  readonly #run: Run;
  #partial: AssistantMessage | undefined;
  #started = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** What has arrived in this attempt. */
  get partial(): AssistantMessage | undefined {
    return this.#partial;
  }

  /** Takes a stream event that is not the last. What comes before `start` is dropped. */
  async update(event: Exclude<AssistantMessageEvent, { type: "done" | "error" }>): Promise<void> {
    if (!this.#partial && event.type !== "start") return;
    this.#show(event.partial);
    if (this.#started) await this.#tell(event.partial, event);
    else await this.#start(event.partial);
  }

  /** The attempt is over: takes what had arrived out of the conversation, to which something final may be added now. */
  hide(): void {
    if (this.#partial) this.#run.ownMessages().pop();
    this.#partial = undefined;
  }

  /** The attempt failed and comes to nothing. */
  async discard(failed: AssistantMessage, retry?: RetryNotice): Promise<void> {
    if (!this.#started) await this.#start(failed);
    const reason = failed.stopReason === "aborted" ? "aborted" : "error";
    await this.#tell(failed, { type: "error", reason, error: failed }, retry);
  }

  async finish(message: AssistantMessage): Promise<AssistantMessage> {
    if (!this.#started) await this.#start(message);
    await this.#run.append(message);
    return message;
  }

  async #start(message: AssistantMessage): Promise<void> {
    const started = { type: "message_start" as const, message: { ...message } };
    this.#started = true;
    await this.#run.emit(started);
  }

  async #tell(message: AssistantMessage, event: AssistantMessageEvent, retry?: RetryNotice): Promise<void> {
    const told = { type: "message_update" as const, message: { ...message }, assistantMessageEvent: event };
    await this.#run.emit(retry ? { ...told, retry } : told);
  }

  #show(partial: AssistantMessage): void {
    const messages = this.#run.ownMessages();
    if (this.#partial) messages[messages.length - 1] = partial;
    else messages.push(partial);
    this.#partial = partial;
  }
}
