// The permission engine as another program has it: by the public entry of the built package.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { build } from "../command.ts";

const PROGRAM = `
import { decide, parseRule, PermissionGate } from "rondo/permissions";
const settings = { root: "/work", home: "/home/me", rules: [parseRule("allow", "bash(npm test)")], yolo: false };
const gate = new PermissionGate(settings, {
  askPerson: async (tool, args) => ({ allow: args.path === "a", remember: "project" }),
  keepForProject: async (rules) => console.log("kept", ...rules),
});
const check = async (name, args) => (await gate.check({ toolCall: { type: "toolCall", id: "1", name, arguments: args }, args }))?.block ?? false;
console.log(await check("bash", { command: "npm test" }), await check("write", { path: "a" }), await check("write", { path: "b" }));
console.log(decide(settings, "write", { path: "a" }).verdict, gate.refusals.map(({ reason }) => reason).join());
`;

test("decides, asks, remembers and tells what it refused", async () => {
  await build();
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", PROGRAM], { cwd });
  expect(stdout).toBe("kept write(a)\nfalse false true\nallow the person said no\n");
});
