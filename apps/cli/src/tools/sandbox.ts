// The sandbox of commands, by bubblewrap: the file system can be read but not written, apart from the workspace and a temporary
// folder of the session; there is no network, and no socket in /run or /tmp through which programs outside could be asked to act.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** What a sandbox is made for. */
export interface SandboxPlace {
  /** Absolute path of the workspace. */
  root: string;
  /** Folder of the session's own; its part `tmp` is what commands see as `/tmp`. Made on first use. */
  outputFolder: string;
  /** Folders that commands find empty, such as the one with the keys. */
  hidden: readonly string[];
}

/** Parts of the workspace that make programs run outside the sandbox later. */
const GUARDED = [
  ".git/hooks",
  ".git/config",
  ".git/config.worktree",
  ".git/commondir",
  // What belongs to the other working trees of the repository.
  ".git/worktrees",
  ".rondo",
];
/**
 * Files that git would believe if a command made them, with a content that changes nothing. Only what is there can be guarded, so
 * they stand there as long as commands run; if rondo itself was killed, until commands of the next session have run.
 */
const STAND_INS = [
  [".git/commondir", ".\n"],
  [".git/config.worktree", ""],
] as const;
const CHECK_TIMEOUT_MS = 5000;

/** Program and arguments that run a program with its arguments in the sandbox. */
export function sandboxCommand(place: SandboxPlace, program: readonly string[]): { file: string; args: string[] } {
  const temporary = join(place.outputFolder, "tmp");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  putStandIns(place.root);
  return { file: "bwrap", args: [...sandboxArguments(place, temporary, existsSync), "--", ...program] };
}

function putStandIns(root: string): void {
  if (!existsSync(join(root, ".git/HEAD"))) return;
  for (const [name, content] of STAND_INS)
    try {
      writeFileSync(join(root, name), content, { flag: "wx" });
    } catch {
      // It is there, or nobody can write it.
    }
}

/** Takes away what `sandboxCommand` put into the repository. To be called when no command of the session runs in the sandbox. */
export function removeStandIns({ root }: SandboxPlace): void {
  for (const [name, content] of STAND_INS)
    try {
      const path = join(root, name);
      if (readFileSync(path, "utf8") === content) rmSync(path);
    } catch {
      // It is not there.
    }
}

/** The arguments of bubblewrap. Later ones lie over earlier ones. */
export function sandboxArguments(
  { root, outputFolder, hidden }: SandboxPlace,
  temporary: string,
  exists: (path: string) => boolean,
): string[] {
  const inRoot = (name: string) => join(root, name);
  const isRepository = exists(inRoot(".git/HEAD"));
  // A file of that name says where the repository is.
  const guarded = [...GUARDED, ...(isRepository ? [] : [".git"])].map(inRoot).filter(exists);
  // What something is mounted on cannot be renamed: another .git in its place would have hooks of its own. Those that are made
  // where there were none are gone with the sandbox.
  const repository = isRepository ? ["--bind", inRoot(".git"), inRoot(".git")] : [];
  const hooks = isRepository && !exists(inRoot(".git/hooks")) ? ["--tmpfs", inRoot(".git/hooks")] : [];
  return [
    ...["--unshare-all", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run"],
    // Where NixOS has its programs.
    ...["--ro-bind-try", "/run/current-system", "/run/current-system"],
    ...["--bind", temporary, "/tmp", "--setenv", "TMPDIR", "/tmp"],
    ...["--ro-bind", outputFolder, outputFolder],
    ...["--bind", root, root, "--chdir", root],
    ...repository,
    ...hooks,
    ...guarded.flatMap((path) => ["--ro-bind", path, path]),
    ...hidden.filter(exists).flatMap((path) => ["--tmpfs", path]),
  ];
}

/** Why there can be no sandbox here, as a sentence with the remedy; undefined if there can. */
export async function sandboxProblem(env: Record<string, string | undefined>): Promise<string | undefined> {
  if (process.platform !== "linux") return "--sandbox needs bubblewrap, which there is for Linux alone.";
  const probe = ["--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--", "true"];
  try {
    await promisify(execFile)("bwrap", probe, { env: env as NodeJS.ProcessEnv, timeout: CHECK_TIMEOUT_MS });
    return undefined;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT")
      return "--sandbox needs bubblewrap, which is not installed. Install it (apt install bubblewrap, dnf install bubblewrap), or leave the flag and the setting out.";
    const reason = stderr?.trim().split("\n")[0] ?? "";
    return `--sandbox does not work here: bubblewrap cannot make a sandbox (${reason || String(code)}). The system may forbid user namespaces.`;
  }
}
