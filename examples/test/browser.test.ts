// The two examples with a page, in a real browser: an agent in a web server, and an agent in the page itself.
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ReplayHandler, replayScript, startReplayServer } from "@rondo/test-fixtures";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { main as agentServer } from "../agent-server.ts";
import { noChromium, startChromium } from "./chromium.ts";
import { call, inTurn, modelAt, paper, say } from "./scripts.ts";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*",
  "access-control-allow-methods": "*",
};

/** Lets pages of other addresses ask, as local model servers do. */
function withCors(handler: ReplayHandler): ReplayHandler {
  return async (request) => {
    if (request.method === "OPTIONS") return { status: 204, headers: CORS, body: "" };
    const response = await handler(request);
    return { ...response, headers: { "content-type": "text/event-stream", ...CORS, ...response.headers } };
  };
}

/** An answer of Anthropic's that has said its text and not ended it. */
const untilStop = (body: string | Uint8Array): string => String(body).split("event: content_block_stop")[0] as string;

describe.skipIf(noChromium)(`in a browser${noChromium ? ` (skipped: ${noChromium})` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  /** A page that fails the test when something in it throws. */
  async function openPage(url: string): Promise<Page> {
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on("pageerror", (error) => failures.push(String(error)));
    onTestFinished(async () => {
      await page.close();
      expect(failures).toEqual([]);
    });
    await page.goto(url);
    return page;
  }

  const conversation = (page: Page) => page.locator("#conversation li").allTextContents();

  test("the agent in the server streams to the page, is steered from it and stops for it", async () => {
    let release: (reply: unknown) => void = () => {};
    const steered = new Promise((resolve) => {
      release = resolve;
    });
    const script = replayScript(
      inTurn([
        { content: [call("1", "list_files", { path: "docs" }), call("2", "read_file", { path: "README.md" })] },
        say("It is a loop."),
        say("Bonjour."),
      ]),
    );
    let asked = 0;
    const server = await startReplayServer(
      async (request) => {
        if (++asked === 1) await steered;
        const response = await script(request);
        return asked === 3 ? { ...response, body: untilStop(response.body), ending: "stall" } : response;
      },
      { chunks: 40 },
    );
    onTestFinished(() => server.close());
    const { lines, print } = paper();
    const app = await agentServer(modelAt(server, "anthropic", "claude-sonnet-5-5"), print, 0);
    onTestFinished(() => {
      app.close();
      app.closeAllConnections();
    });

    const page = await openPage(lines[0] as string);
    const send = async (text: string) => {
      const sent = page.waitForResponse((response) => response.url().endsWith("/say"));
      await page.fill("#text", text);
      await page.click("text=Send");
      expect((await sent).status()).toBe(200);
    };
    await send("What is this project?");
    await page.waitForFunction(() => document.getElementById("status")?.textContent === "working");
    await send("Be brief.");
    release(undefined);
    await page.waitForFunction(() => document.getElementById("status")?.textContent === "completed");
    expect(await conversation(page)).toEqual([
      "What is this project?",
      "list_files docs",
      "read_file README.md",
      "Be brief.",
      "It is a loop.",
    ]);

    await send("And in French?");
    await page.waitForFunction(() => document.querySelectorAll("#conversation .assistant").length === 2);
    await page.click("#stop");
    await page.waitForFunction(() => document.getElementById("status")?.textContent?.includes("aborted"));
  });

  test("the agent in the page paints it", async () => {
    const folder = fileURLToPath(new URL("../browser", import.meta.url));
    const outDir = mkdtempSync(join(tmpdir(), "rondo-browser-"));
    onTestFinished(() => rmSync(outDir, { recursive: true }));
    await build({
      root: folder,
      configFile: false,
      logLevel: "error",
      resolve: { conditions: ["@rondo/source", "browser", "module", "import", "default"] },
      build: { outDir, emptyOutDir: true, minify: false, target: "es2022" },
    });
    const files = createServer(async (request, response) => {
      const path = request.url === "/" ? "/index.html" : (request.url as string);
      const type = path.endsWith(".js") ? "text/javascript" : "text/html";
      const content = await readFile(join(outDir, path)).catch(() => undefined);
      response.writeHead(content ? 200 : 404, { "content-type": type }).end(content);
    });
    await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      files.close();
      files.closeAllConnections();
    });
    const handler = replayScript(
      inTurn([{ content: [call("1", "paint", { background: "navy", text: "white" })] }, say("The sea at night.")]),
    );
    const server = await startReplayServer(withCors(handler), { chunks: 40 });
    onTestFinished(() => server.close());

    const page = await openPage(`http://127.0.0.1:${(files.address() as AddressInfo).port}/`);
    await page.fill("#server", `${server.url}/v1`);
    await page.click("text=Go");
    await page.waitForSelector("#answer[data-end]", { state: "attached" });
    expect(await page.textContent("#answer")).toBe("The sea at night.");
    expect(await page.getAttribute("#answer", "data-end")).toBe("completed");
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(0, 0, 128)");
  });
});
