// Loads extensions and collects what they register. A module that cannot be loaded, throws or takes too long is left out with a
// sentence about it; nothing of what it had registered by then counts.
import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ProtocolSource, type ProviderRow, Type } from "@rondo/ai";
import type { Extension, ExtensionApi, ExtensionCommand } from "./api.ts";
import { beforeTimeout } from "./before-timeout.ts";
import { divertPrints } from "./divert-prints.ts";
import { ExtensionFaults } from "./extension-faults.ts";
import { reasonOf } from "./reason-of.ts";

const LOAD_MS = 10_000;
const ENDING = /\.[cm]?[jt]s$/;

type Hook<K extends "tool" | "streamFn" | "beforeToolCall" | "afterToolCall" | "onEvent"> = Parameters<
  ExtensionApi[K]
>[0];

/** All that extensions have registered. */
export interface Extensions {
  tools: Hook<"tool">[];
  commands: ExtensionCommand[];
  providers: ProviderRow[];
  protocols: Record<string, ProtocolSource>;
  streamFns: Hook<"streamFn">[];
  beforeToolCall: Hook<"beforeToolCall">[];
  afterToolCall: Hook<"afterToolCall">[];
  listeners: Hook<"onEvent">[];
  /** The files that were loaded. */
  paths: string[];
  /** What was left out and why. */
  problems: string[];
  /** Errors that nobody caught. Whoever shows notices listens; whoever ends the session stops it. */
  faults: ExtensionFaults;
}

type Registered = Omit<Extensions, "faults">;

/** Loads the modules in order. Never rejects. */
export async function loadExtensions(paths: string[], workspace: string): Promise<Extensions> {
  const all: Extensions = { ...nothing(), faults: new ExtensionFaults(paths) };
  if (paths.length > 0) divertPrints(process);
  for (const path of new Set(paths)) {
    const own = nothing();
    try {
      await beforeTimeout(
        load(path, createApi(own, all, workspace)),
        LOAD_MS,
        `it was not ready after ${LOAD_MS / 1000} seconds.`,
      );
      adopt(all, own);
      all.paths.push(path);
    } catch (error) {
      all.problems.push(`The extension ${path} is left out: ${reasonOf(error)}`);
    }
  }
  return all;
}

async function load(path: string, api: ExtensionApi): Promise<void> {
  if (extname(path).endsWith("ts") && !("typescript" in process.features && process.features.typescript))
    throw new Error(
      `it is TypeScript, which Node ${process.version} does not run. Use Node 22.18 or later, or write JavaScript.`,
    );
  if (!existsSync(path)) throw new Error("there is no such file.");
  const module: { default?: Extension } = await import(pathToFileURL(path).href);
  if (typeof module.default !== "function") throw new Error("its default export is no function.");
  await module.default(api);
}

function createApi(own: Registered, all: Registered, workspace: string): ExtensionApi {
  const claim = (kind: string, name: unknown, taken: string[]) => {
    if (typeof name !== "string" || !/^[a-zA-Z][\w-]*$/.test(name))
      throw new Error(`a ${kind} needs a name of letters, digits, _ and -.`);
    if (taken.includes(name)) throw new Error(`there is a ${kind} ${name} already.`);
  };
  return {
    Type,
    workspace,
    tool(tool) {
      claim(
        "tool",
        tool?.name,
        [...all.tools, ...own.tools].map(({ name }) => name),
      );
      if (typeof tool.execute !== "function") throw new Error(`the tool ${tool.name} has no execute.`);
      own.tools.push({
        ...tool,
        label: tool.label ?? tool.name,
        description: tool.description ?? "",
        parameters: tool.parameters ?? Type.Object({}),
      });
    },
    command(command) {
      claim(
        "command",
        command?.name,
        [...all.commands, ...own.commands].map(({ name }) => name),
      );
      own.commands.push(command);
    },
    provider: (row) => void own.providers.push(row),
    protocol(api, source) {
      own.protocols[api] = source;
    },
    streamFn: (wrap) => void own.streamFns.push(wrap),
    beforeToolCall: (hook) => void own.beforeToolCall.push(hook),
    afterToolCall: (hook) => void own.afterToolCall.push(hook),
    onEvent: (listener) => void own.listeners.push(listener),
  };
}

function adopt(all: Registered, own: Registered): void {
  all.tools.push(...own.tools);
  all.commands.push(...own.commands);
  all.providers.push(...own.providers);
  Object.assign(all.protocols, own.protocols);
  all.streamFns.push(...own.streamFns);
  all.beforeToolCall.push(...own.beforeToolCall);
  all.afterToolCall.push(...own.afterToolCall);
  all.listeners.push(...own.listeners);
}

function nothing(): Registered {
  return {
    ...{ tools: [], commands: [], providers: [], protocols: {}, streamFns: [] },
    ...{ beforeToolCall: [], afterToolCall: [], listeners: [], paths: [], problems: [] },
  };
}

/** The modules in a folder, by name; none if there is no such folder. */
export function modulesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).sort();
    return names.filter((name) => ENDING.test(name) && !name.endsWith(".d.ts")).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
