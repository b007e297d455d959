// The part of the demo script that mends a failing test: run it, read the files that its output names, look for one of a few
// known slips, edit, run it again, report. Each step is decided by what the tools gave back, as a model would.
import { refusalForPeople } from "../permissions/refusal-text.ts";
import type { DemoMessage, DemoReply } from "./conversation.ts";
import { type DemoEpisode, textReply } from "./script.ts";

const TEST_COMMAND = "npm test --silent";

/** Slips that the script knows: how each looks, what mends it, and how to say it. */
const SLIPS: { pattern: RegExp; mended: string; reason: string }[] = [
  {
    pattern: /(\w+) < (\w+)\.length - 1\b/,
    mended: "$1 < $2.length",
    reason: "the loop stops one short of the last element",
  },
  { pattern: /(\w+) <= (\w+)\.length\b/, mended: "$1 < $2.length", reason: "the loop runs one past the last element" },
];

type Result = Extract<DemoMessage, { role: "toolResult" }>;

/** The next step towards a passing test. */
export function mendFailingTest(episode: DemoEpisode): DemoReply {
  const { since, tools } = episode;
  const missing = ["ls", "read", "edit", "bash"].filter((tool) => !tools.has(tool));
  if (missing.length > 0)
    return textReply(`I need the tools ${missing.join(", ")} for this, and they are not available.`);
  const results = since.filter((message): message is Result => message.role === "toolResult");
  const of = (name: string) => results.filter((result) => result.toolName === name);
  const [firstRun, secondRun] = of("bash");
  const reads = of("read");
  const edit = of("edit").at(-1);

  if (!firstRun) return lookAround(episode);
  if (secondRun) return report(secondRun, since);
  if (edit) return edit.isError ? giveUp("The edit was not made", edit) : runAgain(episode);
  if (reads.length > 0) return mend(episode, reads);
  return readFiles(episode, firstRun);
}

function lookAround({ call }: DemoEpisode): DemoReply {
  return {
    content: [
      { type: "thinking", thinking: "First I need to see what is here and how the test fails." },
      { type: "text", text: "I will look around and run the test." },
      call("ls", { path: "." }),
      call("bash", { command: TEST_COMMAND }),
    ],
  };
}

function readFiles({ call }: DemoEpisode, run: Result): DemoReply {
  const testFile = /\btest\/[\w./-]+?\.js\b/.exec(run.text)?.[0];
  if (testFile === undefined) {
    if (/^# fail 0$|^ℹ fail 0$/m.test(run.text))
      return textReply("The tests pass already, so there is nothing to mend.");
    return giveUp("The test did not run, or its output names no file", run);
  }
  const source = testFile.replace(/^test\//, "src/").replace(/\.test\.js$/, ".js");
  return {
    content: [
      { type: "thinking", thinking: `The output points to ${testFile}, which tests ${source}. I will read both.` },
      { type: "text", text: `The failure is in ${testFile}. I will read it and the code it tests.` },
      call("read", { path: testFile }),
      call("read", { path: source }),
    ],
  };
}

function mend({ since, call }: DemoEpisode, reads: Result[]): DemoReply {
  const paths = new Map(
    since.flatMap((message) =>
      message.role === "assistant"
        ? message.toolCalls.map(({ id, arguments: args }) => [id, args["path"]] as const)
        : [],
    ),
  );
  for (const read of reads) {
    const path = paths.get(read.toolCallId);
    if (typeof path !== "string" || !path.startsWith("src/")) continue;
    for (const { pattern, mended, reason } of SLIPS) {
      const line = read.text.split("\n").find((candidate) => pattern.test(candidate));
      if (line === undefined) continue;
      return {
        content: [
          { type: "thinking", thinking: `In ${path} ${reason}: ${line.trim()}` },
          { type: "text", text: `Found it: ${reason}. I will mend that line.` },
          call("edit", { path, edits: [{ oldText: line, newText: line.replace(pattern, mended) }] }),
        ],
      };
    }
  }
  return textReply("I read the code, but the slip is none that this script knows. A language model would get further.");
}

function runAgain({ call }: DemoEpisode): DemoReply {
  return { content: [{ type: "text", text: "Now the test again." }, call("bash", { command: TEST_COMMAND })] };
}

function report(run: Result, since: DemoMessage[]): DemoReply {
  if (run.isError) return giveUp("The test still fails", run);
  const edited = since.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  const path = edited.find((toolCall) => toolCall.name === "edit")?.arguments["path"];
  const reason = since.flatMap((message) =>
    message.role === "assistant" ? (/Found it: (.+?)\./.exec(message.text) ?? []) : [],
  )[1];
  return textReply(`The test passes now. In ${path} ${reason}; I changed that one line and nothing else.`);
}

function giveUp(what: string, result: Result): DemoReply {
  const lines = (refusalForPeople(result.text) ?? result.text).trim().split("\n");
  return textReply(`${what}, so I stop here: ${lines.slice(0, 3).join(" ")}`);
}
