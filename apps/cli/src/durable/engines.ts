// Which engine keeps durable runs, and where. The one for PostgreSQL is a package of its own that is loaded only when it is asked
// for: most people need neither it nor its drivers.
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { DurableEngine } from "@rondo/durable";
import { journalEngine } from "@rondo/durable";
import type * as DbosPackage from "@rondo/durable-dbos";
import { UsageError } from "../exit-codes.ts";
import type { CommandLine } from "../flags/parse.ts";
import { sessionFolder } from "../session/session-folder.ts";
import { dataFolder } from "../settings/data-folder.ts";

const DBOS_PACKAGE: string = "@rondo/durable-dbos";

/** An engine, and how to speak of it. */
export interface ChosenEngine {
  engine: DurableEngine;
  /** Where the runs are, without secrets. */
  place: string;
}

/** The folder of the runs of a workspace. Only its owner may look into it: records hold all that was said. */
export function runsFolder(env: Record<string, string | undefined>, root: string): string {
  const data = dataFolder(env, env["HOME"] || homedir());
  const folder = join(data, "runs", basename(sessionFolder(data, root)));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Opens the engine that the flags name: the journal of this folder, or DBOS. Rejects with a `UsageError` if it cannot be had. */
export async function openEngine(
  commandLine: CommandLine,
  env: Record<string, string | undefined>,
  root: string,
): Promise<ChosenEngine> {
  const url = commandLine.value("database-url");
  const name = commandLine.value("engine") ?? (url === undefined ? "journal" : "dbos");
  if (name === "dbos") return openDbos(url ?? env["DATABASE_URL"]);
  if (url !== undefined) throw new UsageError("--database-url is for --engine dbos; the journal needs no database.");
  const folder = runsFolder(env, root);
  return { engine: await journalEngine({ folder }), place: `the journal in ${folder}` };
}

async function openDbos(url: string | undefined): Promise<ChosenEngine> {
  if (!url)
    throw new UsageError("--engine dbos needs a database: give --database-url or set DATABASE_URL (PostgreSQL).");
  const { dbosEngine } = await loadDbos();
  try {
    return { engine: await dbosEngine({ url }), place: "the database" };
  } catch (error) {
    throw new UsageError(`The database cannot be used: ${reasonOf(error)}`);
  }
}

async function loadDbos(): Promise<typeof DbosPackage> {
  try {
    return (await import(DBOS_PACKAGE)) as typeof DbosPackage;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError(
      "--engine dbos needs two packages that are not installed beside rondo: npm install -g @rondo/durable-dbos @dbos-inc/dbos-sdk",
    );
  }
}

/** A refused connection is several errors in one, without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
