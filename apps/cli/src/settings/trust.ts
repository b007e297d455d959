// Which projects the person trusts, and with which content. Kept with the person's data, never in the project.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withFileLock } from "@rondo/ai/node";
import { writeAtomically } from "../tools/atomic-write.ts";
import type { Project } from "./project.ts";

const REFUSED = "refused ";

/** The trusted projects. */
export class Trust {
  readonly #path: string;

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, "trust.json");
  }

  /** Whether a project is trusted as it is now. */
  covers({ folder, fingerprint }: Project): boolean {
    return fingerprint !== undefined && this.#read()[folder] === fingerprint;
  }

  /** Whether the person has said yes or no to a project as it is now. */
  isDecided(project: Project): boolean {
    return this.covers(project) || this.#read()[project.folder] === `${REFUSED}${project.fingerprint}`;
  }

  /** Remembers that a project is not trusted as it is now. */
  async refuse({ folder, fingerprint }: Project): Promise<void> {
    await this.#change((folders) => ({ ...folders, [folder]: `${REFUSED}${fingerprint}` }));
  }

  /** Trusts a project as it is now. Rejects if it has more files than can be looked at. */
  async add({ folder, fingerprint }: Project): Promise<void> {
    if (fingerprint === undefined) throw new Error(`${folder} brings along too many files to be trusted.`);
    await this.#change((folders) => ({ ...folders, [folder]: fingerprint }));
  }

  /** Trusts a project no more. Resolves with whether it was trusted. */
  async remove(folder: string): Promise<boolean> {
    const { [folder]: fingerprint } = this.#read();
    if (fingerprint !== undefined) await this.#change(({ [folder]: _removed, ...others }) => others);
    return fingerprint !== undefined && !fingerprint.startsWith(REFUSED);
  }

  /** A file that is missing or damaged trusts nothing. */
  #read(): Record<string, string> {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      return typeof value === "object" && value !== null ? (value as Record<string, string>) : {};
    } catch {
      return {};
    }
  }

  /** Changes what is in the file, whoever else changes it meanwhile. */
  async #change(edit: (folders: Record<string, string>) => Record<string, string>): Promise<void> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    await withFileLock(this.#path, async () => {
      const folders = edit(this.#read());
      await writeAtomically(this.#path, Buffer.from(`${JSON.stringify(folders, null, 2)}\n`));
    });
  }
}
