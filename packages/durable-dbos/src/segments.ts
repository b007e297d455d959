// A run as a chain of DBOS workflows: the first has the run's name, each of the others the name and its number. A segment
// that hands over says so in its result. Knows the chain and nothing of how a segment is run.
import type { DBOSClient, WorkflowStatus } from "@dbos-inc/dbos-sdk";
import { type Carry, type Json, type RunResult, UnknownRunError } from "@rondo/durable";

/** The name under which workers register the workflow. */
export const WORKFLOW_NAME = "rondo.run";

/** What a segment is started with. */
export interface SegmentArguments {
  runId: string;
  agent: string;
  input: Json;
  segment: number;
  carry?: Carry;
}

/** What a segment gives back. */
export type SegmentOutput =
  | { result: RunResult }
  /** `seen` holds the ids of all mailbox messages that the segment took or handed over. */
  | { continuedAs: string; seen: string[] };

/** The queue of an agent's runs. */
export function queueOf(agent: string): string {
  return `rondo.${agent}`;
}

/** The workflow of a segment. `~` is in no run's name. */
export function workflowIdOf(runId: string, segment: number): string {
  return segment === 1 ? runId : `${runId}~${segment}`;
}

/** Where a segment stands. */
export type SegmentState =
  | { state: "waiting" | "running" }
  | { state: "ended"; output: SegmentOutput }
  | { state: "failed"; why: string };

export async function segmentState(client: DBOSClient, runId: string, segment: number): Promise<SegmentState> {
  const status = await client.retrieveWorkflow<SegmentOutput>(workflowIdOf(runId, segment)).getStatus();
  if (!status) throw new UnknownRunError(runId);
  return stateOf(status);
}

function stateOf(status: WorkflowStatus): SegmentState {
  switch (status.status) {
    case "ENQUEUED":
    case "DELAYED":
      return { state: "waiting" };
    case "PENDING":
      return { state: "running" };
    case "SUCCESS":
      return { state: "ended", output: status.output as SegmentOutput };
    case "MAX_RECOVERY_ATTEMPTS_EXCEEDED":
      return { state: "failed", why: `it was taken up ${status.recoveryAttempts} times and never came to its end.` };
    case "CANCELLED":
      return { state: "failed", why: "it was cancelled in DBOS." };
    default:
      return { state: "failed", why: status.error instanceof Error ? status.error.message : String(status.error) };
  }
}
