// Facts that the checkers need and that must not come from the code under test.
import type { ErrorKind } from "../types.ts";

const KINDS: Record<ErrorKind, true> = {
  auth: true,
  permission: true,
  billing: true,
  rate_limit: true,
  overloaded: true,
  context_overflow: true,
  output_limit: true,
  content_filter: true,
  invalid_request: true,
  not_found: true,
  network: true,
  timeout: true,
  truncated: true,
  malformed_response: true,
  aborted: true,
  unknown: true,
};

/** The closed list of error kinds. */
export const ERROR_KINDS: ReadonlySet<string> = new Set(Object.keys(KINDS));

/** What keys of the large providers look like. */
export const KEY_SHAPES = /\b(?:sk-[A-Za-z0-9]|AIza|gsk_|xai-|hf_)[\w-]{12,}/;
