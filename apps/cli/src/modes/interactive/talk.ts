// Between the person and the agent: says what the person says when it can be heard, and stops the agent when told to.
// Invariant: what was written and not heard is in a queue, where it can be seen, or back in the editor.
import type { Agent, AgentMessage } from "@rondo/agent";
import type { ImageContent, UserMessage } from "@rondo/ai";
import { personText } from "./blocks/person.ts";

/** What a talk needs around it. */
export interface TalkOptions {
  agent: Agent;
  /** Puts text into the editor, before what stands there. */
  putBack: (text: string) => void;
  /** Takes messages that are on the screen already in another form. */
  unseen: WeakSet<AgentMessage>;
  /** Called after the queues or the state have changed. */
  onChange: () => void;
  /** Called with what went wrong outside of the agent's events. */
  onError: (error: unknown) => void;
}

/** The talk of one session. */
export class Talk {
  readonly #options: TalkOptions;
  readonly #mentions: string[] = [];
  /** What was on its way into the conversation when the agent was stopped. */
  #entering: AgentMessage[] = [];

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  get isWorking(): boolean {
    return this.#options.agent.state.isStreaming;
  }

  /** What was said and not heard yet, in the order in which it will be. */
  get queued(): string[] {
    const { steering, followUps } = this.#options.agent.queuedMessages;
    return [...steering, ...followUps].map(textOf);
  }

  /** Has the model know something without asking it anything: it goes along with what is said next. */
  mention(text: string): void {
    this.#mentions.push(text);
  }

  /** Says something: at once, or as steering while the agent works. */
  say(text: string, images: ImageContent[] = []): void {
    const { agent } = this.#options;
    const message = createMessage(text, images);
    if (this.isWorking) agent.steer(message);
    else {
      const mentions = this.#mentions.splice(0).map((mention) => createMessage(mention, []));
      for (const mention of mentions) this.#options.unseen.add(mention);
      void this.#run(() => agent.prompt([...mentions, message]));
    }
    this.#options.onChange();
  }

  /** Says something when the agent is done. */
  sayLater(text: string, images: ImageContent[] = []): void {
    if (!this.isWorking) {
      this.say(text, images);
      return;
    }
    this.#options.agent.followUp(createMessage(text, images));
    this.#options.onChange();
  }

  /** Takes the message that was queued last back into the editor. Whether there was one. */
  takeBack(): boolean {
    const { agent, putBack } = this.#options;
    const { steering, followUps } = agent.queuedMessages;
    const last = [...steering, ...followUps].findLast((message) => agent.takeBack(message));
    if (last) putBack(textOf(last));
    this.#options.onChange();
    return last !== undefined;
  }

  /** Stops the agent at once; what was queued goes back into the editor. */
  stop(): void {
    const { agent } = this.#options;
    agent.abort();
    const { steering, followUps } = agent.queuedMessages;
    this.#entering = this.#giveBack([...steering, ...followUps]);
    this.#options.onChange();
  }

  /** Puts queued messages back into the editor. Gives those that are about to enter the conversation, or may be. */
  #giveBack(messages: AgentMessage[]): AgentMessage[] {
    const { agent, putBack } = this.#options;
    const left = messages.filter((message) => agent.takeBack(message));
    if (left.length > 0) putBack(left.map(textOf).join("\n"));
    return messages.filter((message) => !left.includes(message));
  }

  /** Runs, and then goes on for as long as something is queued that came too late for the run, or after it was stopped. */
  async #run(start: () => Promise<void>): Promise<void> {
    const { agent, onChange, onError } = this.#options;
    try {
      await start();
      this.#giveBack(this.#entering.splice(0));
      while (agent.hasQueuedMessages() && !this.#hasFailed()) {
        await agent.continue();
        this.#giveBack(this.#entering.splice(0));
      }
    } catch (error) {
      onError(error);
    }
    onChange();
  }

  /** What failed is not tried again by itself: what is queued waits for the person's next word. */
  #hasFailed(): boolean {
    const last = this.#options.agent.state.messages.at(-1);
    return last?.role === "assistant" && last.stopReason === "error";
  }
}

function createMessage(text: string, images: ImageContent[]): UserMessage {
  return { role: "user", content: [{ type: "text", text }, ...images], timestamp: Date.now() };
}

function textOf(message: AgentMessage): string {
  return personText(message as UserMessage);
}
