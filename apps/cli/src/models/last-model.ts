// The model that answered last, kept for the next run that names none. A convenience: what cannot be read or written is left out.
import { readFile } from "node:fs/promises";
import type { Model } from "@rondo/ai";
import { writeAtomically } from "../tools/atomic-write.ts";

/** The model that this person used last. */
export class LastModel {
  readonly #file: string;
  #name: string | undefined;

  private constructor(file: string, name: string | undefined) {
    this.#file = file;
    this.#name = name;
  }

  /** Reads the file. It need not exist. */
  static async read(file: string): Promise<LastModel> {
    try {
      const { model } = JSON.parse(await readFile(file, "utf8")) as { model?: unknown };
      return new LastModel(file, typeof model === "string" ? model : undefined);
    } catch {
      return new LastModel(file, undefined);
    }
  }

  /** As `provider/id`; undefined if none has answered yet. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Takes note that a model has answered. */
  async note({ provider, id }: Pick<Model, "provider" | "id">): Promise<void> {
    const name = `${provider}/${id}`;
    if (name === this.#name) return;
    this.#name = name;
    await writeAtomically(this.#file, Buffer.from(`${JSON.stringify({ model: name })}\n`)).catch(() => undefined);
  }
}
