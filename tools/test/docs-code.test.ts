// The code in the documents: every ```ts block type checks, and the library programs of the READMEs run. Each block becomes a module of
// one program, at the line where it stands in its document, so that a complaint of the compiler names that line.
//
// Two HTML comments before a block say what its reader has to imagine: `<!-- given: model, messages -->` for names that the text has
// introduced (the table below says of which type), and `<!-- not checked: reason -->` for code that cannot be checked.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CodeBlock, documents, ROOT } from "./docs-markdown.ts";

const FOLDER = join(ROOT, "node_modules/.cache/docs-code");

/** Names that a document may take as given, and their types. */
const GIVEN: Record<string, string> = {
  model: 'import("@rondo/ai").Model',
  messages: 'import("@rondo/ai").Message[]',
  context: 'import("@rondo/ai").Context',
  streamSimple: 'import("@rondo/ai").StreamFunction',
  apiKey: "string",
  key: "string",
  text: "string",
  tools: "string",
  readFile: 'import("@rondo/agent").AnyAgentTool',
  postComment: 'import("@rondo/agent").AnyAgentTool',
};

const read = documents().filter(({ path }) => path === "README.md" || /^(docs|packages|apps|examples)\//.test(path));

/** The blocks of a language, with the documents in which they stand. */
const blocksOf = (language: string): { path: string; block: CodeBlock }[] =>
  read.flatMap(({ path, blocks }) =>
    blocks.filter(({ info }) => info.split(" ")[0] === language).map((block) => ({ path, block })),
  );

const blocks = blocksOf("ts");

/** Why a block is not checked. */
const exemption = ({ comment }: CodeBlock): string | undefined => /^not checked:\s*(.+)$/.exec(comment ?? "")?.[1];

function givenNames({ comment }: CodeBlock): string[] {
  const names = /^given:\s*(.+)$/.exec(comment ?? "")?.[1];
  return names?.split(",").map((name) => name.trim()) ?? [];
}

/** A block as a module: what is given comes after it, so that its lines stay where they are. */
function moduleOf(block: CodeBlock): string {
  const given = givenNames(block).map((name) => `declare const ${name}: ${GIVEN[name]};\n`);
  return `${"\n".repeat(block.line - 1)}${block.code}\n${given.join("")}export {};\n`;
}

/** The entries of the workspace's packages, as the sources that they are made of. */
function entries(): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)),
  );
  for (const folder of folders) {
    const { name: packageName, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    for (const [entry, conditions] of Object.entries<Record<string, string> | string>(exports ?? {})) {
      const source = typeof conditions === "object" && conditions["@rondo/source"];
      if (source) paths[`${packageName}${entry.slice(1)}`] = [join(folder, source)];
    }
  }
  return paths;
}

function run(command: string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd, encoding: "utf8" }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
    });
  });
}

test("every ts block of the documents type checks", async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const { path, block } of blocks) {
    if (exemption(block)) continue;
    const file = /\bfile=(\S+)/.exec(block.info)?.[1] ?? `line-${block.line}.ts`;
    mkdirSync(join(FOLDER, path), { recursive: true });
    writeFileSync(join(FOLDER, path, file), moduleOf(block));
  }
  const compilerOptions = {
    composite: false,
    declarationMap: false,
    noEmit: true,
    noUnusedLocals: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    paths: entries(),
  };
  const config = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions, include: ["."] };
  writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(config));
  const { output } = await run([join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."], FOLDER);
  // Complaints about the sources of the packages are for the type check of those to make.
  const complaints = output.split(/\n(?=\S)/).filter((complaint) => !complaint.startsWith("../"));
  expect(complaints.join("\n").trim()).toBe("");
});

test("every json block of the documents is JSON", () => {
  const broken = blocksOf("json").flatMap(({ path, block }) => {
    try {
      JSON.parse(block.code);
      return [];
    } catch (error) {
      return [`${path}:${block.line}: ${error}`];
    }
  });
  expect(broken).toEqual([]);
});

test("a block is left unchecked only with a reason, and takes only known names as given", () => {
  const checked = blocks.filter(({ block }) => exemption(block) === undefined);
  expect(checked.length).toBeGreaterThan(10);
  const odd = blocks.filter(
    ({ block }) =>
      /^(not checked|given)\b/.test(block.comment ?? "") && !exemption(block) && givenNames(block).length === 0,
  );
  expect(odd.map(({ path, block }) => `${path}:${block.line}`)).toEqual([]);
  const unknown = blocks.flatMap(({ block }) => givenNames(block)).filter((name) => !Object.hasOwn(GIVEN, name));
  expect(unknown).toEqual([]);
});
