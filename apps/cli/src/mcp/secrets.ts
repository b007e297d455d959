// What the settings of an MCP server hold that nobody else may read: variables, headers, and what stands in an address or an argument. It is
// taken out of everything that is said about the server, since errors quote what they were given.
import type { McpServerSettings } from "../settings/settings-schema.ts";

const HIDDEN = "…";
/** Shorter values are words that stand everywhere. */
const SECRET_CHARACTERS_MIN = 6;
const SECRET_NAME = /key|token|secret|passw|auth|credential/i;

/** The settings as they may be shown. */
export function shownServer(settings: McpServerSettings): McpServerSettings {
  const { url, args, env, headers } = settings;
  const hide = hideSecrets(settings);
  const names = (record: Record<string, string>) =>
    Object.fromEntries(Object.keys(record).map((name) => [name, HIDDEN]));
  return {
    ...settings,
    ...(args && { args: args.map(hide) }),
    ...(url !== undefined && { url: hide(url) }),
    ...(env && { env: names(env) }),
    ...(headers && { headers: names(headers) }),
  };
}

/** Takes the secrets of a server out of a text. */
export function hideSecrets(settings: McpServerSettings): (text: string) => string {
  const secrets = secretsOf(settings).sort((one, other) => other.length - one.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

function secretsOf({ url = "", args = [], env = {}, headers = {} }: McpServerSettings): string[] {
  const own = [...Object.values(env), ...Object.values(headers).flatMap((value) => value.split(" "))];
  const found = [...own, ...inAddress(url), ...args.flatMap((word, index) => inArgument(word, args[index - 1] ?? ""))];
  return [...new Set([...found, ...found.map(encodeURIComponent)])].filter(
    (value) => value.length >= SECRET_CHARACTERS_MIN,
  );
}

/** Name and password, and the values behind the question mark. */
function inAddress(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { username, password, searchParams, search } = new URL(url);
  const raw = search
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [username, password, ...searchParams.values(), ...raw];
}

/** `--token=…`, or `--token` and then the word. */
function inArgument(word: string, before: string): string[] {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  if (SECRET_NAME.test(name)) return [value];
  return before.startsWith("-") && !before.includes("=") && SECRET_NAME.test(before) ? [word] : inAddress(word);
}
