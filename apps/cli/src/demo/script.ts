// The demo model: a deterministic script and no language model. A pure function from the conversation so far to the next reply.
// It mends a failing test by a short list of known slips, shows a tool when asked to, repeats what it got, and else says what
// it is. Like any model it goes by the conversation alone: it remembers nothing between two calls.
import type { DemoConversation, DemoMessage, DemoReply } from "./conversation.ts";
import { mendFailingTest } from "./mend-test.ts";
import { showTool } from "./show-tool.ts";

/** What the person asked last, and what has happened since. */
export interface DemoEpisode {
  prompt: string;
  /** Messages after the prompt. */
  since: DemoMessage[];
  /** Names of the tools on offer. */
  tools: ReadonlySet<string>;
  /** Makes a tool call with an id that is new to the conversation. */
  call(name: string, args: Record<string, unknown>): DemoReply["content"][number];
}

const MEND = /\b(fix|mend|repair|debug)\b.*\btests?\b|\btests?\b.*\b(fix|mend|repair|fail)/is;
const REPEAT = /^\s*(?:please\s+)?(?:repeat|echo)\b[^\n:]*(?:\n|:\s*|$)/i;

/** The next reply of the demo script. */
export function demoReply({ messages, tools }: DemoConversation): DemoReply {
  const last = messages.findLastIndex((message) => message.role === "user");
  const prompt = messages[last];
  const callsBefore = messages.reduce(
    (sum, message) => sum + ("toolCalls" in message ? message.toolCalls.length : 0),
    0,
  );
  let calls = callsBefore;
  const episode: DemoEpisode = {
    prompt: prompt?.role === "user" ? prompt.text : "",
    since: messages.slice(last + 1),
    tools: new Set(tools.map((tool) => tool.name)),
    call: (name, args) => ({ type: "toolCall", id: `demo_${++calls}`, name, arguments: args }),
  };
  return (
    repeatInput(episode) ?? (MEND.test(episode.prompt) ? mendFailingTest(episode) : showTool(episode)) ?? introduce()
  );
}

function repeatInput({ prompt }: DemoEpisode): DemoReply | undefined {
  const order = REPEAT.exec(prompt);
  const input = order && prompt.slice(order[0].length).trim();
  return input ? textReply(input) : undefined;
}

function introduce(): DemoReply {
  return {
    content: [
      { type: "thinking", thinking: "This is a script. It can only do what is written in it." },
      {
        type: "text",
        text: [
          "I am Rondo's demo, a script and no language model, so I cannot answer that. What I can do:",
          "",
          '- "fix the failing test" — look around, mend a simple slip, and run the test',
          '- "run ls -la", "read README.md", "list src" — show one tool at work',
          '- "repeat what you get", with text piped in — print it',
          "",
          "For real answers give rondo a model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or see rondo --help.",
        ].join("\n"),
      },
    ],
  };
}

/** A reply of text alone. */
export function textReply(text: string): DemoReply {
  return { content: [{ type: "text", text }] };
}
