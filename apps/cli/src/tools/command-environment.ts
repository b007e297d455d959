// The environment of commands that the model runs: that of the person, without keys of model providers, and set so that no
// program waits for somebody to type.
import { MARK_VARIABLE } from "./process-groups.ts";

/** Names of variables that hold keys: those that end like one, and those that cloud providers use. */
const KEY_NAMES =
  /(_API_KEY|_APIKEY|_AUTH_TOKEN|_BEARER_TOKEN_BEDROCK)$|^(AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|HF_TOKEN)$/i;

/** Settings that make programs fail instead of asking. */
const QUIET = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
} as const;

/** Shorter values may be words that stand elsewhere for something else. */
const KEY_CHARACTERS_MIN = 16;

/** An environment without variables that hold keys: those of these names, and whatever holds the same as one of them. */
export function withoutKeys(
  env: Record<string, string | undefined>,
  names: readonly string[],
): Record<string, string | undefined> {
  const keys = new Set(names.map((name) => env[name]).filter((key = "") => key.length >= KEY_CHARACTERS_MIN));
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !names.includes(name) && !keys.has(value)));
}

/** Makes the environment of a command. The mark tells its processes from others. */
export function commandEnvironment(env: Record<string, string | undefined>, mark: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !KEY_NAMES.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...QUIET, [MARK_VARIABLE]: mark };
}
