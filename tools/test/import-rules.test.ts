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

/** Whether every import of a target is one of types. */
function typesOnly(file: string, target: string): boolean {
  const lines = readFileSync(join(root, file), "utf8").match(new RegExp(`^import (?!type )[^;]*"${target}"`, "m"));
  return lines === null;
}

const importsIn = (folder: string): Import[] => sources(folder).flatMap(importsOf);
const list = (imports: Import[]): string[] => imports.map(({ file, target }) => `${file} → ${target}`);

test("the model layer's types import types of data and a schema type, and nothing else", () => {
  expect(new Set(importsOf("packages/ai/src/types.ts").map(({ target }) => target))).toEqual(
    new Set(["@sinclair/typebox", "packages/ai/src/quirks.ts"]),
  );
  expect(importsOf("packages/ai/src/quirks.ts")).toEqual([]);
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
      (target.startsWith("@rondo/") && !/^@rondo\/((ai|agent)(\/[a-z]+)?|durable(\/owner-lock)?)$/.test(target)),
  );
  // Types alone, since most people do not have it: it is loaded by name when it is asked for.
  const ofDbos = /^import type [^;]* from "@rondo\/durable-dbos";$/m.test(
    readFileSync(join(root, "apps/cli/src/durable/engines.ts"), "utf8"),
  );
  expect([list(intoPackages), ofDbos]).toEqual([["apps/cli/src/durable/engines.ts → @rondo/durable-dbos"], true]);
  const engines = imports.filter(({ file, target }) => {
    const isInside = file.startsWith("apps/cli/src/durable/");
    return !isInside && target.startsWith("@rondo/durable") && !typesOnly(file, target);
  });
  expect(list(engines)).toEqual(["apps/cli/src/session/session-file.ts → @rondo/durable/owner-lock"]);
  const acrossModes = imports.filter(({ file, target }) => {
    const own = /^apps\/cli\/src\/modes\/([^/.]+)/.exec(file)?.[1];
    const other = /^apps\/cli\/src\/modes\/([^/.]+)/.exec(target)?.[1];
    return own !== undefined && other !== undefined && own !== other;
  });
  expect(list(acrossModes)).toEqual([]);
});

test("durable runs stand on the public entries of the agent and the model layer, and know no engine but the journal", () => {
  const wrong = importsIn("packages/durable/src").filter(
    ({ target }) =>
      !target.startsWith("packages/durable/src/") &&
      !target.startsWith("node:") &&
      !["@rondo/agent", "@rondo/ai"].includes(target),
  );
  expect(list(wrong)).toEqual([]);
  const journal = importsIn("packages/durable/src").filter(
    ({ file, target }) =>
      /^packages\/durable\/src\/[^/]+$/.test(file) &&
      !file.endsWith("/index.ts") &&
      target.startsWith("packages/durable/src/journal/"),
  );
  expect(list(journal)).toEqual([]);
});

test("the engine on PostgreSQL imports the public entry of durable runs, DBOS and the driver", () => {
  const wrong = importsIn("packages/durable-dbos/src").filter(
    ({ target }) =>
      !target.startsWith("packages/durable-dbos/src/") &&
      !target.startsWith("node:") &&
      !["@rondo/durable", "@dbos-inc/dbos-sdk", "pg"].includes(target),
  );
  // What DBOS exports as internal: a new version of it may move that, and this list must not grow.
  expect(list(wrong)).toEqual([
    "packages/durable-dbos/src/lease-sweeper.ts → @dbos-inc/dbos-sdk/internal/dbos-executor",
    "packages/durable-dbos/src/store.ts → @dbos-inc/dbos-sdk/internal/system_database",
    "packages/durable-dbos/src/store.ts → @dbos-inc/dbos-sdk/internal/telemetry/logs",
  ]);
});

test("libraries print nothing and never exit", () => {
  const wrong = ["packages/ai/src", "packages/agent/src", "packages/durable-dbos/src"]
    .flatMap(sources)
    .filter((file) =>
      /\bconsole\.(log|info|warn|error|debug|trace|table|dir)\b|\bprocess\.exit\b/.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
  expect(wrong).toEqual([]);
});
