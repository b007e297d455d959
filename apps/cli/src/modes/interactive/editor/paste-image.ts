// An image on the clipboard becomes a file, and its name goes into the editor. Terminals hand on text alone, so the image is
// asked from the system's own programs.
import { spawn } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imageType } from "../../../images/image-type.ts";
import type { App } from "../app.ts";

/** Programs that write the clipboard's image to standard output. */
const PROGRAMS = [
  ["wl-paste", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"],
  ["pngpaste", "-"],
] as const;
const IMAGE_BYTES_MAX = 20_000_000;

/** Takes the image from the clipboard. Says so if there is none. */
export async function pasteImage({ conversation, workbench, screen }: App): Promise<void> {
  for (const [program, ...args] of PROGRAMS) {
    const bytes = await outputOf(program, args);
    if (!bytes || !imageType(bytes)) continue;
    const file = join(await mkdtemp(join(tmpdir(), "rondo-image-")), "clipboard.png");
    await writeFile(file, bytes, { mode: 0o600 });
    workbench.editor.insertTextAtCursor(`@${file} `);
    screen.requestRender();
    return;
  }
  conversation.notice(
    "note",
    "There is no image on the clipboard, or no program here that can read it (wl-paste, xclip, pngpaste).",
  );
}

function outputOf(program: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > IMAGE_BYTES_MAX) child.kill();
      else chunks.push(chunk);
    });
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => resolve(code === 0 && size > 0 ? Buffer.concat(chunks) : undefined));
  });
}
