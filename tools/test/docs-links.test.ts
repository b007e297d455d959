// What the documents point to is there: files, headings, scripts, paths and flags.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, codeOf, documents, linksOf, ROOT } from "./docs-markdown.ts";

const all = documents();
const byPath = new Map(all.map((document) => [document.path, document]));

test("there are documents to look at", () => {
  expect([...byPath.keys()]).toEqual(
    expect.arrayContaining(["README.md", "docs/README.md", "packages/agent/README.md"]),
  );
});

test("every relative link leads to a file, and every anchor to a heading", () => {
  const broken = all.flatMap((document) =>
    linksOf(document).flatMap(({ target, line }) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? document.path : join(dirname(document.path), decodeURIComponent(file));
      if (!existsSync(join(ROOT, path))) return [`${document.path}:${line}: ${target} is not there`];
      const pointed = byPath.get(path);
      if (anchor === undefined || pointed === undefined || anchorsOf(pointed).has(anchor)) return [];
      return [`${document.path}:${line}: ${path} has no heading #${anchor}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every document is reached from the index in docs/README.md or from a README", () => {
  const indexes = all.filter(({ path }) => path.endsWith("README.md"));
  const linked = new Set(
    indexes.flatMap((index) =>
      linksOf(index).map(({ target }) => join(dirname(index.path), target.split("#")[0] ?? "")),
    ),
  );
  const decisions = linked.has("docs/decisions") || linked.has("docs/decisions/");
  const lost = all.filter(({ path }) => path.startsWith("docs/") && path !== "docs/README.md" && !linked.has(path));
  expect(lost.map(({ path }) => path).filter((path) => !(decisions && path.startsWith("docs/decisions/")))).toEqual([]);
});

test("every path of the repository that is named in code is there", () => {
  const pattern = /^(?:packages|apps|docs|tools|examples|test-fixtures|benchmarks)\/[\w./-]+$/;
  const missing = all.flatMap((document) =>
    codeOf(document).flatMap(({ code, line }) => {
      const paths = code.split(/\s+/).filter((word) => pattern.test(word) && !word.includes("/dist/"));
      return paths.flatMap((path) =>
        existsSync(join(ROOT, path)) || isTestFilter(code, path) ? [] : [`${document.path}:${line}: ${path}`],
      );
    }),
  );
  expect(missing).toEqual([]);
});

/** Filters of tests are beginnings of paths. */
function isTestFilter(code: string, path: string): boolean {
  return /\b(vitest run|npm test --)/.test(code) && existsSync(join(ROOT, dirname(path)));
}

test("every npm command that is shown is a script", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const missing = all.flatMap((document) =>
    codeOf(document).flatMap(({ code, line }) => {
      const names = [...code.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(
        (match) => match[1] ?? match[2] ?? "",
      );
      return names.flatMap((name) =>
        Object.hasOwn(scripts, name) ? [] : [`${document.path}:${line}: npm run ${name}`],
      );
    }),
  );
  expect(missing).toEqual([]);
});

test("every flag of the command that is shown is in its reference", () => {
  const reference = byPath.get("docs/cli.md")?.lines.join("\n") ?? "";
  const known = new Set(
    [...reference.matchAll(/^\| `([^`]+)`/gm)].flatMap((match) => (match[1] as string).match(/--?[a-z-]+/g) ?? []),
  );
  expect(known.size).toBeGreaterThan(10);
  const unknown = all.flatMap((document) =>
    codeOf(document).flatMap(({ code, line }) => {
      const command = /(?:^|[$|]\s*)rondo (.*)$/.exec(code)?.[1];
      const words =
        command
          ?.replace(/'[^']*'|"[^"]*"/g, "")
          .split(/\s+/)
          .map((word) => word.replace(/=.*/, "")) ?? [];
      return words.flatMap((word) =>
        /^--?[a-z]/.test(word) && !known.has(word) ? [`${document.path}:${line}: ${word}`] : [],
      );
    }),
  );
  expect(unknown).toEqual([]);
});
