// Which item an event belongs to. The place in the output tells; ids are no help, since some servers change them with every event.
// Reasoning is kept for replay only once something follows it that we keep as well: the API refuses it without its follower.
import type { MessageBuilder } from "../../message-builder.ts";
import { isObject } from "../../tools/json-values.ts";
import type { OutputItem } from "./events.ts";
import { CustomCallItem, FunctionCallItem, MessageItem, type OpenItem, ReasoningItem } from "./output-item.ts";

/** Kinds of items that we keep; all others are the server's own business, such as its searches. */
type ItemKind = OpenItem["kind"];
type ItemOf<Kind extends ItemKind> = Extract<OpenItem, { kind: Kind }>;

export class OpenItems {
  readonly #builder: MessageBuilder;
  readonly #toolNames: ReadonlySet<string>;
  readonly #items: OpenItem[] = [];
  readonly #atIndex = new Map<number, OpenItem>();
  #awaitingFollower: ReasoningItem[] = [];

  constructor(builder: MessageBuilder, toolNames: ReadonlySet<string>) {
    this.#builder = builder;
    this.#toolNames = toolNames;
  }

  /** A new item begins; undefined if it is none that we keep. */
  begin(item: OutputItem, index: number | undefined): OpenItem | undefined {
    const kind = this.#kindOf(item);
    if (kind === undefined) {
      this.#awaitingFollower = [];
      if (index !== undefined) this.#atIndex.delete(index);
      return undefined;
    }
    return this.#open(kind, item, index);
  }

  /** An item is whole, whether or not its beginning was told. */
  end(item: OutputItem, index: number | undefined): void {
    const kind = this.#kindOf(item);
    const begun = kind === undefined ? undefined : this.#find(kind, index);
    (begun && !begun.ended ? begun : this.begin(item, index))?.end(item);
  }

  /** The item that a delta belongs to: one begins if its server did not say so. */
  forDelta<Kind extends ItemKind>(kind: Kind, index: number | undefined): ItemOf<Kind> {
    const found = this.#find(kind, index);
    return found && !found.ended ? found : (this.#open(kind, {}, index) as ItemOf<Kind>);
  }

  /** The item that a whole part belongs to; undefined if the item itself was whole already. */
  forWhole<Kind extends ItemKind>(kind: Kind, index: number | undefined): ItemOf<Kind> | undefined {
    return this.#find(kind, index)?.ended ? undefined : this.forDelta(kind, index);
  }

  /** The output as it stands at the end: fills in what the events left out. The n-th item of a kind is the n-th that was told. */
  complete(output: readonly OutputItem[]): void {
    const told = [...this.#items];
    for (const item of output.filter((candidate) => isObject(candidate))) {
      const kind = this.#kindOf(item);
      const position = told.findIndex((candidate) => candidate.kind === kind);
      const known = position < 0 ? undefined : told.splice(position, 1)[0];
      if (known === undefined) this.begin(item, undefined)?.end(item);
      else if (!known.ended) known.end(item);
    }
  }

  #kindOf(item: OutputItem): ItemKind | undefined {
    switch (item.type) {
      case "message":
      case "reasoning":
      case "function_call":
        return item.type;
      case "custom_tool_call":
        // Servers run tools of their own under this type; only a tool that we offered is ours to run.
        return this.#toolNames.has(item.name ?? "") ? item.type : undefined;
      default:
        return undefined;
    }
  }

  /** The item of a kind at an index, or the last of its kind where the server gives no index. */
  #find<Kind extends ItemKind>(kind: Kind, index: number | undefined): ItemOf<Kind> | undefined {
    const item = index === undefined ? this.#items.findLast((other) => other.kind === kind) : this.#atIndex.get(index);
    return item?.kind === kind ? (item as ItemOf<Kind>) : undefined;
  }

  #open(kind: ItemKind, item: OutputItem, index: number | undefined): OpenItem {
    const open = this.#make(kind, item);
    this.#items.push(open);
    if (index !== undefined) this.#atIndex.set(index, open);
    return open;
  }

  #make(kind: ItemKind, item: OutputItem): OpenItem {
    if (kind === "reasoning") {
      const reasoning = new ReasoningItem(this.#builder);
      this.#awaitingFollower.push(reasoning);
      return reasoning;
    }
    const isKept = this.#builder.keepsItem(kind === "message" ? undefined : item.name);
    if (isKept) for (const reasoning of this.#awaitingFollower) reasoning.keepForReplay();
    this.#awaitingFollower = [];
    if (kind === "message") return new MessageItem(this.#builder);
    return kind === "function_call"
      ? new FunctionCallItem(this.#builder, item)
      : new CustomCallItem(this.#builder, item);
  }
}
