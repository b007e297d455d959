// The jobs tool: what earlier commands left running in the background can be listed, read and stopped.
import type { AgentTool } from "@rondo/agent";
import { Type } from "@rondo/ai";
import type { BackgroundJob } from "./background-jobs.ts";
import { escapeControls, textResult } from "./result.ts";
import type { Workspace } from "./workspace.ts";

const parameters = Type.Object({
  action: Type.Union([Type.Literal("list"), Type.Literal("read"), Type.Literal("stop")]),
  id: Type.Optional(Type.Integer({ minimum: 1, description: "The job to read or stop" })),
});

/** Makes the jobs tool of a workspace. */
export function createJobsTool({ jobs }: Workspace): AgentTool<typeof parameters, { jobs: BackgroundJob[] }> {
  return {
    name: "jobs",
    label: "Jobs",
    description: "List, read or stop what earlier bash calls left running in the background (started with &).",
    parameters,
    async execute(_toolCallId, { action, id }) {
      if (action === "list") return textResult(describeJobs(jobs.list()), { jobs: jobs.list() });
      if (id === undefined) throw new Error(`The action ${action} needs the id of a job. The action list shows them.`);
      if (action === "read")
        return textResult(jobs.read(id) || "It has printed nothing so far.", { jobs: jobs.list() });
      await jobs.stop(id);
      return textResult(`Job ${id} has ended.`, { jobs: jobs.list() });
    },
  };
}

function describeJobs(jobs: BackgroundJob[]): string {
  if (jobs.length === 0) return "Nothing was left running in the background.";
  return jobs
    .map(({ id, command, isRunning }) => `${id}  ${isRunning ? "running" : "ended"}  ${escapeControls(command)}`)
    .join("\n");
}
