// Sessions of the command, written as it writes them, for measuring what long ones cost.
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { basename, join } from "node:path";

/** Where the command looks for the sessions of a workspace; the folder is there afterwards. */
export function sessionsFolder(data, workspace) {
  const hash = createHash("sha256").update(workspace).digest("hex").slice(0, 12);
  const folder = join(data, "sessions", `${basename(workspace)}-${hash}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Messages as work on code has them: a question, a call with its result of some kilobytes, an answer.
 *
 * @param isLongEnough is given the bytes and messages so far, before each question
 */
export function writeSession(path, workspace, isLongEnough) {
  const fd = openSync(path, "w", 0o600);
  let [entries, messages, bytes, parentId] = [0, 0, 0, null];
  const write = (value) => {
    bytes += writeSync(fd, `${JSON.stringify(value)}\n`);
  };
  const add = (content) => {
    entries++;
    const id = entries.toString(16).padStart(8, "0");
    write({ ...content, id, parentId, timestamp: entries });
    parentId = id;
  };
  const say = (role, content, more) => {
    messages++;
    add({ type: "message", message: { role, content, timestamp: entries, ...more } });
  };
  const text = (words) => [{ type: "text", text: words }];
  const origin = { api: "rondo-demo", provider: "demo", model: "script", usage: { input: 10, output: 10, cost: {} } };
  const code = 'const answer = compute(input); // a line with "quotes"\n'.repeat(100);
  write({ type: "session", version: 1, id: "long", createdAt: 1, workspace });
  add({ type: "model", provider: "demo", model: "script" });
  add({ type: "thinking", level: "off" });
  while (!isLongEnough({ bytes, messages })) {
    const call = { type: "toolCall", id: `c${entries}`, name: "read", arguments: { path: `src/${entries}.ts` } };
    say("user", text(`Look at file ${entries}.`));
    say("assistant", [...text("I will read it."), call], { ...origin, stopReason: "toolUse" });
    say("toolResult", text(code), { toolCallId: call.id, toolName: "read", isError: false });
    say("assistant", text("It is as it should be. ".repeat(20)), { ...origin, stopReason: "stop" });
  }
  closeSync(fd);
}
