// What becomes of a line that the person sends: a command, a shell command, or something said, with the images it names.
import { readFile, stat } from "node:fs/promises";
import type { ImageContent } from "@rondo/ai";
import { ImageProblem, prepareImage } from "../../images/prepare-image.ts";
import { existingPath } from "../../tools/file-path.ts";
import type { App } from "./app.ts";
import { isLeaving, runCommandLine, runGuarded } from "./commands/index.ts";
import type { Command } from "./commands/table.ts";

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i;
const IMAGE_BYTES_MAX = 10_000_000;

/** Sends lines. */
export class Submission {
  readonly #app: App;
  readonly #commands: Command[];
  readonly #runShell: (command: string) => Promise<void>;

  constructor(app: App, commands: Command[], runShell: (command: string) => Promise<void>) {
    this.#app = app;
    this.#commands = commands;
    this.#runShell = runShell;
  }

  /** @param isLater whether what is said is to wait until the agent is done */
  send(text: string, isLater: boolean): void {
    const line = text.trim();
    if (line === "") return;
    const { editor } = this.#app.workbench;
    editor.addToHistory(line);
    // Nobody wants to leave with the first arrow up of the next session.
    if (!isLeaving(line)) this.#app.session.prompts.add(line);
    if (line.startsWith("/") && runCommandLine(this.#app, this.#commands, line)) return;
    if (line.startsWith("!")) return void runGuarded(this.#app, () => this.#runShell(line.slice(1).trim()));
    void runGuarded(this.#app, () => this.#say(line, isLater));
  }

  async #say(line: string, isLater: boolean): Promise<void> {
    const { talk } = this.#app;
    const images = line.includes("@") ? await this.#readImages(line) : [];
    if (isLater) talk.sayLater(line, images);
    else talk.say(line, images);
  }

  /** Images of the workspace that are named as @path. Text files the model reads by itself. */
  async #readImages(line: string): Promise<ImageContent[]> {
    const names = [...line.matchAll(/(?:^|\s)@(?:"([^"]+)"|(\S+))/g)].map((match) => match[1] ?? match[2] ?? "");
    const images: ImageContent[] = [];
    for (const name of names.filter((each) => IMAGE_NAME.test(each))) {
      const path = existingPath({ root: this.#app.session.root, home: this.#app.home }, name);
      const size = await stat(path).then(
        (found) => found.size,
        () => undefined,
      );
      if (size === undefined) continue;
      if (size > IMAGE_BYTES_MAX)
        throw new Error(`The image ${name} is over ${IMAGE_BYTES_MAX} bytes, so nothing was sent.`);
      const image = await prepareImage(await readFile(path)).catch((error: unknown) => {
        if (!(error instanceof ImageProblem)) throw error;
        throw new Error(`The image ${name} cannot be sent, so nothing was: ${error.message}.`);
      });
      if (image) images.push(image.content);
    }
    return images;
  }
}
