// Stopping, seen from the terminal.
import { beforeEach, expect, test } from "vitest";
import { needsTmux, TerminalSession } from "./terminal-session.ts";

beforeEach(needsTmux);

test("Escape stops at once, gives back what was queued, and then shows the tree", async () => {
  const session = await TerminalSession.start({ args: ["--model", "demo", "--allow", "bash"] });
  await session.write("run sleep 1000");
  await session.press("Enter");
  await session.waitFor("◐ bash sleep 1000");
  await session.write("first thought");
  await session.press("Enter");
  await session.waitFor("↳ next: first thought");
  await session.write("for afterwards");
  await session.press("M-Enter");
  await session.waitFor("↳ then: for afterwards");
  await session.press("M-Up");
  await session.waitFor((screen) => !screen.includes("↳ then") && screen.includes("\nfor afterwards"));
  await session.press("C-u");
  await session.waitFor((screen) => !screen.includes("for afterwards"));
  await session.press("Escape");
  const stopped = await session.waitFor("Stopped.");
  expect(stopped).toContain("✗ bash sleep 1000");
  expect(stopped).toMatch(/─\nfirst thought\n─/);
  await session.press("C-c");
  await session.waitFor((screen) => !screen.includes("first thought"));
  await session.press("Escape", "Escape");
  await session.waitFor("Go back to before");
  await session.press("Enter");
  await session.waitFor(/─\nrun sleep 1000\n─/);
  await session.press("C-c");
  await session.waitFor((screen) => !/─\nrun sleep 1000\n─/.test(screen));
  await session.press("C-c", "C-c");
  await session.waitFor("ended with 0");
});
