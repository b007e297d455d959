// An answer by schema from a server that takes none: the model gets a tool that has the schema, and its call is the answer. Which way a
// server takes is settled here, for every API alike; `answer-by-tool.ts` turns the call back into text.
import type { RequestInput } from "../protocol.ts";
import { convertSchema } from "../tools/schema-dialect.ts";
import type { Tool } from "../types.ts";
import { Diagnostics } from "./diagnostics.ts";

/** The tool whose call is the answer. */
export interface AnswerTool {
  /** Its name among the tools of the request. */
  name: string;
  /** The schema is of no object, which arguments must be, so the answer stands in this argument. */
  wrappedIn: string | undefined;
}

/** A request that asks for the answer in a way that the server takes. */
export interface AskedAnswer {
  input: RequestInput;
  /** Absent where the answer comes as text anyway. */
  answer?: AnswerTool;
  diagnostics: Diagnostics;
}

/** The name where the caller gave the schema none. */
const NAME = "final_answer";
const WRAPPER = "answer";

/** Puts the tool in the place of the schema where the server takes no schema, or none beside tools, but takes tools. */
export function askForAnswer(input: RequestInput): AskedAnswer {
  const diagnostics = new Diagnostics();
  const { model, tools, options } = input;
  const { responseSchema, ...others } = options;
  const quirks = model.quirks ?? {};
  if (!responseSchema || quirks.supportsTools === false) return { input, diagnostics };
  const besideTools = tools.length > 0 && quirks.responseSchemaWithTools === false;
  if (quirks.supportsResponseSchema !== false && !besideTools) return { input, diagnostics };

  const what = besideTools ? "no schema beside tools" : "no schema";
  diagnostics.changed(
    "responseSchema",
    `${model.id} takes ${what}, so it answers by calling a tool that has the schema`,
  );
  const wrappedIn = convertSchema(responseSchema.schema, "openai") === undefined ? WRAPPER : undefined;
  const name = freeName(responseSchema.name || NAME, tools);
  const tool: Tool = {
    name,
    description: "Gives the final answer. Call it once, at the very end, with the whole answer.",
    parameters: (wrappedIn === undefined
      ? responseSchema.schema
      : {
          type: "object",
          properties: { [wrappedIn]: responseSchema.schema },
          required: [wrappedIn],
        }) as Tool["parameters"],
  };
  const choice = choiceOf(input, name);
  const asked: RequestInput = { ...input, tools: [...tools, tool], options: others };
  delete asked.options.toolChoice;
  if (choice.toolChoice !== undefined) asked.options.toolChoice = choice.toolChoice;
  if (!choice.isForced) asked.systemPrompt = [input.systemPrompt, inWords(name)].filter(Boolean).join("\n\n");
  return { input: asked, answer: { name, wrappedIn }, diagnostics };
}

function freeName(wanted: string, tools: readonly Tool[]): string {
  let name = wanted;
  while (tools.some((tool) => tool?.name === name)) name += "_answer";
  return name;
}

/**
 * The tool choice that brings the answer: this tool, or any where others may be called first. A model that thinks cannot be forced
 * (Anthropic, Qwen and Kimi refuse it), and some servers take no choice: those are asked in words. A tool that the caller forces goes
 * first; its answer comes with a later call.
 */
function choiceOf(
  { model, tools, options }: RequestInput,
  name: string,
): { toolChoice?: RequestInput["options"]["toolChoice"]; isForced: boolean } {
  const { toolChoice, reasoning } = options;
  if (typeof toolChoice === "object") return { toolChoice, isForced: true };
  const { thinkingFormat, supportsToolChoice, supportsForcedToolChoice } = model.quirks ?? {};
  // A server with a switch for thinking of its own has it on unless it is told otherwise.
  const thinksUnasked = thinkingFormat !== undefined;
  const thinks = model.reasoning && (reasoning === undefined ? thinksUnasked : reasoning !== "off");
  if (thinks || supportsToolChoice === false || supportsForcedToolChoice === false) {
    // Without a choice, `none` would keep the answer away as well.
    return { ...(toolChoice === "required" && { toolChoice }), isForced: false };
  }
  const isAlone = tools.length === 0 || toolChoice === "none";
  return { toolChoice: isAlone ? { name } : "required", isForced: true };
}

const inWords = (name: string): string =>
  `Give your final answer by calling the tool ${name} once, and write nothing beside that call.`;
