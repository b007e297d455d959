// The tarballs as they would be published, made by the pinned pnpm, which puts versions for `workspace:` and publishConfig for exports.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
export const PUBLIC_PACKAGES = [
  "packages/ai",
  "packages/agent",
  "packages/durable",
  "packages/durable-dbos",
  "apps/cli",
];

/** Packs every public package into `folder` and gives the tarballs by package name. */
export function packAll(folder) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const pack = (name) => {
    const args = ["-y", packageManager, "pack", "--json", "--pack-destination", folder];
    const output = execFileSync("npx", args, {
      cwd: join(root, name),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const packed = JSON.parse(output.slice(output.search(/[[{]/)));
    const { name: packageName, filename } = Array.isArray(packed) ? packed[0] : packed;
    return [packageName, join(folder, filename.split("/").at(-1))];
  };
  return Object.fromEntries(PUBLIC_PACKAGES.map(pack));
}
