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

/** Makes the environment of a command. The mark tells its processes from others. */
export function commandEnvironment(env: Record<string, string | undefined>, mark: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !KEY_NAMES.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...QUIET, [MARK_VARIABLE]: mark };
}
