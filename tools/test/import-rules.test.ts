// Who may import what, read from the sources. The rules are those of docs/architecture.md; a new folder needs a new row.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

interface Import {
  file: string;
  target: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

/** Every import of a file: relative ones resolved from the root, others as they are written. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"\s]+)"/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) => ({
    file,
    target: specifier.startsWith(".") ? relative(root, join(root, dirname(file), specifier)) : specifier,
  }));
}

const importsIn = (folder: string): Import[] => sources(folder).flatMap(importsOf);
const list = (imports: Import[]): string[] => imports.map(({ file, target }) => `${file} → ${target}`);

test("the model layer's types import a schema type and nothing else", () => {
  expect(importsOf("packages/ai/src/types.ts").map(({ target }) => target)).toEqual(["@sinclair/typebox"]);
});

test("the model layer knows no agent, no command and no fixtures", () => {
  const wrong = importsIn("packages/ai/src").filter(({ target }) =>
    /^(@rondo\/|rondo$|apps\/|packages\/agent)/.test(target),
  );
  expect(list(wrong)).toEqual([]);
});

test("an API folder imports no other API folder", () => {
  const wrong = importsIn("packages/ai/src/api").filter(({ file, target }) => {
    const own = /^packages\/ai\/src\/api\/([^/]+)/.exec(file)?.[1];
    const other = /^packages\/ai\/src\/api\/([^/]+)/.exec(target)?.[1];
    return other !== undefined && other !== own;
  });
  expect(list(wrong)).toEqual([]);
});

test("an API folder reads no clock, no environment and no network by itself", () => {
  const wrong = sources("packages/ai/src/api").filter((file) =>
    /\bDate\.now\(|\bprocess\.|\bglobalThis\.fetch\(|\bfetch\(|"node:|\bMath\.random\(/.test(
      readFileSync(join(root, file), "utf8").replace(/request\.fetch\(/g, ""),
    ),
  );
  expect(wrong).toEqual([]);
});

test("the SDKs are imported on first use only", () => {
  const wrong = sources("packages/ai/src").filter((file) =>
    /^import (?!type)[^;]*"(@anthropic-ai\/sdk|openai|@google\/genai)/m.test(readFileSync(join(root, file), "utf8")),
  );
  expect(wrong).toEqual([]);
});

test("the agent imports the model layer's public entry and nothing below it", () => {
  const wrong = importsIn("packages/agent/src").filter(
    ({ target }) => !target.startsWith("packages/agent/src/") && target !== "@rondo/ai",
  );
  expect(list(wrong)).toEqual([]);
});

test("the command imports the public entries of the packages, and modes import no other mode", () => {
  const imports = importsIn("apps/cli/src");
  const intoPackages = imports.filter(
    ({ target }) =>
      target.startsWith("packages/") ||
      (target.startsWith("@rondo/") && !/^@rondo\/((ai|agent)(\/[a-z]+)?|durable\/owner-lock)$/.test(target)),
  );
  expect(list(intoPackages)).toEqual([]);
  const acrossModes = imports.filter(({ file, target }) => {
    const own = /^apps\/cli\/src\/modes\/([^/.]+)/.exec(file)?.[1];
    const other = /^apps\/cli\/src\/modes\/([^/.]+)/.exec(target)?.[1];
    return own !== undefined && other !== undefined && own !== other;
  });
  expect(list(acrossModes)).toEqual([]);
});

test("libraries print nothing and never exit", () => {
  const wrong = ["packages/ai/src", "packages/agent/src"]
    .flatMap(sources)
    .filter((file) =>
      /\bconsole\.(log|info|warn|error|debug|trace|table|dir)\b|\bprocess\.exit\b/.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
  expect(wrong).toEqual([]);
});
