// Starts the browser of this machine for tests, where there is one. It is never downloaded.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The browser: the variable CHROMIUM, or where Debian puts it. */
const EXECUTABLE = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Why the tests in a browser are skipped, or undefined if they are not. */
export const noChromium = existsSync(EXECUTABLE)
  ? undefined
  : `there is no Chromium at ${EXECUTABLE}; install the package chromium, or set CHROMIUM`;

/** Starts a browser that talks to nobody but the pages that it is told to open. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
