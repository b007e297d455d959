#!/usr/bin/env node
// The command's entry: the only place that sets the exit code. Loads nothing before it is needed, so that --version and
// --help answer at once, and calls process.exit only when nothing is being written any more, since that would be cut off.
import { type Ending, EXIT_CODES, UsageError } from "./exit-codes.ts";

async function main(argv: string[]): Promise<Ending> {
  const { commandNamed } = await import("./commands/table.ts");
  const command = commandNamed(argv[0]);
  if (command !== undefined) {
    if (argv[1] === "--help" || argv[1] === "-h") {
      const { commandHelp } = await import("./flags/help.ts");
      process.stdout.write(commandHelp(command, process.stdout.columns));
      return "done";
    }
    await goByNetworkSettings(command !== "doctor");
    const { runNamedCommand } = await import("./commands/run.ts");
    return runNamedCommand(command, argv.slice(1));
  }
  const { parseCommandLine } = await import("./flags/parse.ts");
  const commandLine = parseCommandLine(argv);
  if (commandLine.has("version")) {
    const { readFileSync } = await import("node:fs");
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    process.stdout.write(`rondo ${version}\n`);
    return "done";
  }
  if (commandLine.has("help")) {
    const { helpText } = await import("./flags/help.ts");
    process.stdout.write(helpText(process.stdout.columns));
    return "done";
  }
  const shell = commandLine.value("completions");
  if (shell !== undefined) {
    const { completionScript } = await import("./flags/completions.ts");
    process.stdout.write(completionScript(shell as "bash" | "zsh" | "fish"));
    return "done";
  }
  if (commandLine.words.length === 1) {
    const { refuseMisspelledCommand } = await import("./commands/misspelled.ts");
    refuseMisspelledCommand(argv[0], commandLine);
  }
  await goByNetworkSettings();
  const { runCommand } = await import("./run-command.ts");
  return runCommand(commandLine);
}

/** Proxy and certificates of the environment. What is wrong with them ends the command, unless it is the one that tells of it. */
async function goByNetworkSettings(isFatal = true): Promise<void> {
  const { useNetworkSettings } = await import("./network/network-settings.ts");
  await useNetworkSettings(process.env).catch((error: Error) => {
    if (isFatal) throw new UsageError(error.message);
  });
}

/** How long something that nobody waits for any more may keep the process. */
const LINGER_MS = 300;

/** A timer or socket that somebody forgot, in an extension for instance, must not keep the command; unread output may. */
function leave(): void {
  const isWritten = process.stdout.writableLength + process.stderr.writableLength === 0;
  setTimeout(() => (isWritten ? process.exit() : leave()), LINGER_MS).unref();
}

/** What a disk says that takes no more. Other errors come from a reader that has gone away, which wanted no more. */
const DISK_FAILURES: readonly (string | undefined)[] = ["ENOSPC", "EDQUOT", "EFBIG", "EIO"];

/** What was said and could not be kept is a failure, whatever else happened. */
function watchOutput(): void {
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A terminal that is gone says EIO too.
    if (DISK_FAILURES.includes(error.code) && !process.stdout.isTTY) failure ??= error;
  });
  process.once("exit", () => {
    if (!failure) return;
    process.stderr.write(`rondo: Standard output cannot be written (${failure.code}).\n`);
    process.exitCode = EXIT_CODES.unwritable;
  });
}

/** What the system has against a file, in words. */
const REFUSALS: Record<string, string> = {
  EACCES: "it may not be used by you",
  EPERM: "it may not be used by you",
  EROFS: "it is on a disk that can only be read",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  ENAMETOOLONG: "its name is too long",
};

/** A disk or a right that is lacking is no fault of ours, wherever it shows. */
function systemRefusal(error: unknown): UsageError | undefined {
  const { code = "", syscall, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === "ENOENT" && syscall === "uv_cwd")
    return new UsageError("The folder that rondo was started in is not there any more. Go to another one with cd.");
  const reason = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  if (reason === undefined || syscall === undefined) return undefined;
  return new UsageError(`${path ?? "A file"} cannot be used: ${reason} (${code}, ${syscall}).`);
}

watchOutput();

/** Waiting for something that holds no handle, such as a tool of an extension, is no end: the process would leave without a word. */
const stay = setInterval(() => {}, 2 ** 30);

main(process.argv.slice(2))
  .finally(() => clearInterval(stay))
  .then(
    (ending) => {
      process.exitCode = EXIT_CODES[ending];
    },
    (error: unknown) => {
      const told = error instanceof UsageError ? error : systemRefusal(error);
      const ending = told?.ending ?? "internal";
      const text = told?.message ?? `A fault in rondo itself: ${error instanceof Error ? error.stack : error}`;
      process.stderr.write(`rondo: ${text}\n`);
      process.exitCode = EXIT_CODES[ending];
    },
  )
  .then(leave);
