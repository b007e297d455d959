// What an installation brings: packages and megabytes, from the packed tarballs of this repository and from the registry for peers.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packAll } from "../../tools/packed.mjs";

const PEERS = [
  "@earendil-works/pi-ai@0.81.1",
  "ai@7.0.173",
  "@langchain/core@1.4.0",
  "@openai/agents@0.20.0",
  "@earendil-works/pi-coding-agent@0.81.1",
];

export const title = "Installation";
export const note = "npm, cold: each in an empty folder, with what it depends on. `rondo` brings a binary of ripgrep.";

function installed(sources, folder) {
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...sources], {
    cwd: folder,
    stdio: "ignore",
  });
  const modules = join(folder, "node_modules");
  const entries = readdirSync(modules, { recursive: true, withFileTypes: true });
  const bytes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).size);
  const tree = execFileSync("npm", ["ls", "--all", "--parseable"], { cwd: folder, encoding: "utf8" });
  return {
    packages: tree.trim().split("\n").length - 1,
    MB: (bytes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1),
  };
}

export function measure() {
  const base = mkdtempSync(join(tmpdir(), "rondo-size-"));
  const tarballs = packAll(base);
  const ours = {
    "@rondo/ai": [tarballs["@rondo/ai"]],
    "@rondo/agent": [tarballs["@rondo/ai"], tarballs["@rondo/agent"]],
    "@rondo/durable": [tarballs["@rondo/ai"], tarballs["@rondo/agent"], tarballs["@rondo/durable"]],
    rondo: [tarballs.rondo],
  };
  const all = [...Object.entries(ours), ...PEERS.map((peer) => [peer, [peer]])];
  const rows = all.map(([what, sources]) => {
    const folder = mkdtempSync(join(base, "install-"));
    return { what, ...installed(sources, folder) };
  });
  rmSync(base, { recursive: true, force: true });
  return rows;
}
