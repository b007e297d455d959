// All tools of a session, in the order in which the model sees them.
import type { AgentTool } from "@rondo/agent";
import { createBashTool } from "./bash.ts";
import { createEditTool } from "./edit.ts";
import { createFindTool } from "./find.ts";
import { createGrepTool } from "./grep.ts";
import { createJobsTool } from "./jobs.ts";
import { createLsTool } from "./ls.ts";
import { createReadTool } from "./read.ts";
import type { Workspace } from "./workspace.ts";
import { createWriteTool } from "./write.ts";

/** Makes the tools of a workspace. */
// biome-ignore lint/suspicious/noExplicitAny: tools of different parameters share one list
export function createTools(workspace: Workspace): AgentTool<any>[] {
  return [
    createReadTool(workspace),
    createLsTool(workspace),
    createFindTool(workspace),
    createGrepTool(workspace),
    createEditTool(workspace),
    createWriteTool(workspace),
    createBashTool(workspace),
    createJobsTool(workspace),
  ];
}
