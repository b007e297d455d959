// Reads the wire fixtures, which are files of raw bytes beside the sources: wire/<api>/<name>.sse and error bodies as .json.
import { readdirSync, readFileSync } from "node:fs";
import type { WireApi } from "./wire/scripted-reply.ts";

const folder = (api: WireApi) => new URL(`../wire/${api}/`, import.meta.url);

/**
 * The bytes of a fixture. Every API has `text`, `thinking`, `one-tool-call`, `several-tool-calls`, `empty-arguments` and
 * `error-mid-stream` as streams, and `error-*.json` as bodies of failed requests, which are named with their ending.
 */
export function loadFixture(api: WireApi, name: string): Uint8Array {
  return readFileSync(new URL(name.endsWith(".json") ? name : `${name}.sse`, folder(api)));
}

/** The names of an API's fixtures as `loadFixture` takes them, sorted. */
export function fixtureNames(api: WireApi): string[] {
  return readdirSync(folder(api))
    .map((file) => file.replace(/\.sse$/, ""))
    .sort();
}
