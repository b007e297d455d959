// Finds ripgrep, runs it and hands over its output line by line, until enough has come: then the process is killed. The binary
// comes with the package @vscode/ripgrep, which downloads nothing; where it has none for the platform, there may be an `rg` on the path.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { StringDecoder } from "node:string_decoder";

/** A single line of output longer than this is cut, so that a file of one line cannot fill the memory. */
const LINE_BYTES_MAX = 1_000_000;
const ERROR_CHARACTERS_MAX = 2000;

/** What a run came to. */
export interface RipgrepEnd {
  /** 0: something was found; 1: nothing; 2: an error. Absent if it was stopped. */
  exitCode: number | undefined;
  errorText: string;
}

/**
 * Runs ripgrep.
 *
 * @param command where it is
 * @param args without anything that came from a model before `--`
 * @param onLine gets each line; `false` stops the run
 */
export async function runRipgrep(
  command: string,
  args: string[],
  cwd: string,
  signal: AbortSignal | undefined,
  onLine: (line: string) => boolean,
): Promise<RipgrepEnd> {
  const child = spawn(command, ["--no-config", ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  let stopped = false;
  let errorText = "";
  const takeLines = lineSplitter((line) => {
    if (stopped || onLine(line)) return;
    stopped = true;
    child.kill("SIGKILL");
  });
  child.stdout.on("data", takeLines.write);
  child.stderr.on("data", (bytes: Buffer) => {
    if (errorText.length < ERROR_CHARACTERS_MAX) errorText += bytes.toString("utf8");
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      takeLines.end();
      resolve({ exitCode: stopped || code === null ? undefined : code, errorText: errorText.trim() });
    });
  });
}

/** The binary that comes with the package, else one on the path; undefined if there is none. */
export async function findRipgrep(env: Record<string, string | undefined>): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    if (existsSync(rgPath)) return rgPath;
  } catch {
    // The package throws where it has no binary for the platform.
  }
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function lineSplitter(onLine: (line: string) => void): { write(bytes: Buffer): void; end(): void } {
  const decoder = new StringDecoder("utf8");
  let open = "";
  const take = (text: string) => {
    const lines = (open + text).split("\n");
    open = (lines.pop() ?? "").slice(0, LINE_BYTES_MAX);
    for (const line of lines) onLine(line);
  };
  return {
    write: (bytes) => take(decoder.write(bytes)),
    end: () => {
      if (open !== "") onLine(open);
    },
  };
}
