// Extensions through the command: what they add, and that their mistakes stay theirs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { replayScript, type WireRequest } from "@rondo/test-fixtures";
import { expect, test } from "vitest";
import { rondo } from "./command.ts";
import { serve, text, through } from "./served-model.ts";
import { temporaryFolder } from "./temporary-workspace.ts";

/** A folder with these extensions, given to the command by --extension. */
function extensions(files: Record<string, string>) {
  const cwd = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  return { cwd, flags: Object.keys(files).flatMap((name) => ["--extension", name]) };
}

/** The example of a page, as it stands there. */
const exampleOf = (page: string) =>
  /```js\n([\s\S]*?)```/.exec(readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8"))?.[1] ?? "";

const DICE = `export default (rondo) => {
  rondo.tool({
    name: "dice",
    description: "Roll a die",
    parameters: rondo.Type.Object({ sides: rondo.Type.Integer() }),
    execute: async (id, { sides }) => ({ content: [{ type: "text", text: "rolled one of " + sides }], details: {} }),
  });
};`;

/** A model that rolls the die once, and what it was sent. */
async function gambler() {
  const seen: WireRequest[] = [];
  const server = await serve(
    replayScript((request) => {
      seen.push(request);
      if (seen.length > 1) return text("Done.");
      return { content: [{ type: "toolCall", id: "c1", name: "dice", arguments: { sides: 6 } }] };
    }),
  );
  const result = () => seen[1]?.messages.flatMap((message) => (message.role === "toolResult" ? [message.text] : []));
  return { flags: ["-p", "go", ...through(server.url)], result };
}

test("a tool goes through the permissions like any other", async () => {
  const { cwd, flags } = extensions({ "dice.mjs": DICE });
  const refused = await gambler();
  const first = await rondo([...flags, ...refused.flags], { cwd });
  expect([first.code, refused.result()?.[0]]).toEqual([5, expect.stringContaining("Refused: dice was not run")]);
  const allowed = await gambler();
  const second = await rondo([...flags, ...allowed.flags, "--allow", "dice"], { cwd });
  expect([second.code, allowed.result()]).toEqual([0, ["rolled one of 6"]]);
});

test.each(["docs/extensions.md", "README.md"])("the example of %s is a tool", async (page) => {
  const { cwd, flags } = extensions({ "dice.js": exampleOf(page) });
  const model = await gambler();
  const end = await rondo([...flags, ...model.flags, "--allow", "dice"], { cwd });
  expect([end.code, model.result()]).toEqual([0, [expect.stringMatching(/^[1-6]$/)]]);
});

test("hooks see calls and results, and a stream function goes around every model call", async () => {
  const { cwd, flags } = extensions({
    "dice.mjs": DICE,
    "hooks.mjs": `export default (rondo) => {
      let calls = 0;
      rondo.streamFn((next) => (model, context, options) => next(model, { ...context, systemPrompt: "call " + ++calls }, options));
      rondo.afterToolCall(({ result }) => ({ content: [...result.content, { type: "text", text: "twice" }] }));
      rondo.afterToolCall(({ result }) => ({ content: [...result.content, { type: "text", text: "and " + result.content.length }] }));
    };`,
    "block.mjs": `export default (rondo) =>
      rondo.beforeToolCall(({ toolCall, args }) => (args.sides > 6 ? { block: true, reason: "too many sides" } : undefined));`,
  });
  const model = await gambler();
  const end = await rondo([...flags, ...model.flags, "--allow", "dice"], { cwd });
  expect([end.code, model.result()]).toEqual([0, ["rolled one of 6\ntwice\nand 2"]]);
});

test("a provider of an extension is served by its stream function", async () => {
  const { cwd, flags } = extensions({
    "parrot.mjs": `export default (rondo) => {
      rondo.provider({ id: "jungle", name: "Jungle", api: "parrot", baseUrl: "http://127.0.0.1:1", env: [], quirks: { keyless: true } });
      rondo.streamFn((next) => (model, context, options) => (model.api === "parrot" ? next({ ...model, api: "rondo-demo" }, context, options) : next(model, context, options)));
    };`,
  });
  const end = await rondo([...flags, "-p", "repeat: squawk", "--provider", "jungle", "--model", "macaw"], { cwd });
  expect([end.code, end.stdout]).toEqual([0, "squawk\n"]);
});

test("what goes wrong in an extension is told, and the command does its work", async () => {
  const { cwd, flags } = extensions({
    "syntax.mjs": "export default (",
    "throws.mjs": "export default () => { throw new Error('no luck'); };",
    "half.mjs": `${DICE.replace("};", "").replace(/;\s*\}$/, "")}; rondo.tool({}); };`,
    "nothing.mjs": "export const x = 1;",
    "listener.mjs":
      "export default (rondo) => rondo.onEvent((event) => { if (event.type === 'agent_start') throw new Error('deaf'); });",
    "late.mjs":
      "export default () => { setTimeout(() => { throw new Error('too late'); }); setTimeout(() => Promise.reject(new Error('never kept'))); };",
    "timer.mjs": "export default () => { setInterval(() => {}, 1000); };",
    "missing-import.mjs": "import 'no-such-package-at-all';",
    "bash.mjs": DICE.replace('"dice"', '"bash"'),
  });
  const end = await rondo([...flags, "--extension", "none.mjs", "-p", "repeat: all well", "--model", "demo"], { cwd });
  expect([end.code, end.stdout]).toEqual([0, "all well\n"]);
  const told = end.stderr.split("\n").map((line) => line.replaceAll(`${cwd}/`, ""));
  expect(told).toContain("rondo: The extension throws.mjs is left out: no luck");
  expect(told).toContain("rondo: The extension half.mjs is left out: a tool needs a name of letters, digits, _ and -.");
  expect(told).toContain("rondo: The extension nothing.mjs is left out: its default export is no function.");
  expect(told).toContain("rondo: An extension failed at agent_start: deaf");
  expect(told).toContain("rondo: The extension late.mjs failed: too late");
  expect(told).toContain("rondo: The extension late.mjs failed: never kept");
  expect(told).toContain("rondo: The extension none.mjs is left out: there is no such file.");
  for (const name of ["syntax", "missing-import"])
    expect(end.stderr).toContain(`The extension ${join(cwd, `${name}.mjs`)} is left out: `);
  // A timer that was forgotten keeps no command, one that cannot be understood either.
  expect((await rondo([...flags, "-p", "hi", "--model", "nonsense"], { cwd })).code).toBe(2);
});

test("what a tool throws, now or later, ends that call alone", async () => {
  const { cwd, flags } = extensions({
    "dice.mjs": `export default (rondo) => rondo.tool({ name: "dice", execute: () => {
      setTimeout(() => { throw new Error("later"); });
      throw "no Error at all";
    } });`,
  });
  const model = await gambler();
  const end = await rondo([...flags, ...model.flags, "--allow", "dice"], { cwd });
  expect([end.code, end.stdout, model.result()]).toEqual([0, "Done.\n", ["no Error at all"]]);
  expect(end.stderr).toContain("dice.mjs failed: later\n");
});

test("what is rejected need not be an Error, whatever of an extension rejects it", async () => {
  const failing = (what: string) => `export default (rondo) => {
    const reject = () => Promise.reject("no Error");
    ${what};
  };`;
  const { cwd, flags } = extensions({
    "dice.mjs": DICE,
    "failing.mjs":
      failing(`rondo.beforeToolCall(reject); rondo.onEvent(({ type }) => type === "agent_start" && reject());
      rondo.command({ name: "fail", description: "", run: reject }); setTimeout(reject); setTimeout(() => { throw { code: 7 }; })`),
    "unready.mjs": failing("return reject()"),
  });
  const model = await gambler();
  const end = await rondo([...flags, ...model.flags, "--allow", "dice"], { cwd });
  expect([end.code, end.stdout, model.result()]).toEqual([0, "Done.\n", ["no Error"]]);
  const all = Object.keys({ dice: 0, failing: 0, unready: 0 }).map((name) => join(cwd, `${name}.mjs`));
  for (const told of [
    `The extension ${all[2]} is left out: no Error`,
    `One of the extensions ${all.join(", ")} failed: no Error`,
    `One of the extensions ${all.join(", ")} failed: { code: 7 }`,
    "An extension failed at agent_start: no Error",
  ])
    expect(end.stderr.split("\n")).toContain(`rondo: ${told}`);
  const command = await rondo(["-p", "--extension", "failing.mjs", "--model", "demo", "/fail"], { cwd });
  expect([command.code, command.stdout]).toEqual([2, ""]);
  expect(command.stderr).toContain("rondo: The command /fail of an extension failed: no Error\n");
});

test("what an extension prints is not in the output of the command", async () => {
  const { cwd, flags } = extensions({
    "loud.mjs": `import ownConsole from "node:console";
      export default (rondo) => {
        console.log("loading");
        rondo.onEvent(({ type }) => {
          if (type !== "agent_start") return;
          console.info("starting");
          ownConsole.table([1]);
          process.stdout.write("written\\n");
        });
      };`,
  });
  const prompt = [...flags, "repeat: one", "--model", "demo"];
  const [answer, lines, rpc] = await Promise.all([
    rondo(["-p", ...prompt], { cwd }),
    rondo(["--mode", "json", ...prompt], { cwd }),
    rondo([...flags, "--mode", "rpc", "--model", "demo"], {
      cwd,
      stdin: '{"id":"1","type":"prompt","message":"repeat: one"}\n',
    }),
  ]);
  expect(answer.stdout).toBe("one\n");
  for (const { stdout } of [lines, rpc]) for (const line of stdout.trim().split("\n")) JSON.parse(line);
  for (const { stderr, code } of [answer, lines, rpc]) {
    expect(code).toBe(0);
    for (const text of ["loading", "starting", "(index)", "written"]) expect(stderr).toContain(text);
  }
});

test("a tool that never ends is waited for until somebody stops it", async () => {
  const { cwd, flags } = extensions({
    "dice.mjs": 'export default (rondo) => rondo.tool({ name: "dice", execute: () => new Promise(() => {}) });',
  });
  const model = await gambler();
  const end = await rondo([...flags, ...model.flags, "--allow", "dice"], {
    cwd,
    onStart: (child) =>
      child.stderr.on("data", (part: string) => {
        if (part.includes("→ dice")) child.kill("SIGINT");
      }),
  });
  expect([end.code, end.stdout]).toEqual([130, ""]);
});

test("a TypeScript extension runs where Node takes its types away, and says so elsewhere", async () => {
  const { cwd, flags } = extensions({
    "typed.ts": "export default (rondo: { workspace: string }): void => { const x: string = rondo.workspace; };",
  });
  const end = await rondo([...flags, "-p", "repeat: hi", "--model", "demo"], { cwd });
  expect([end.code, end.stdout]).toEqual([0, "hi\n"]);
  const strips = "typescript" in process.features && Boolean(process.features.typescript);
  expect(end.stderr.includes("it is TypeScript, which Node")).toBe(!strips);
});
