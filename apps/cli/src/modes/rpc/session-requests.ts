// The requests of RPC mode that are about sessions: moving within one, between them, and what there is. None of them is taken
// while a run is under way, apart from those that only look or name.
import type { Agent, AgentMessage } from "@rondo/agent";
import type { SessionEntry } from "../../session/entries.ts";
import { messageText } from "../../session/message-text.ts";
import type { SessionKeeper } from "../../session/session-keeper.ts";
import type { RpcCommand, RpcCommands, RpcRequest, RpcTreeEntry } from "./protocol.ts";

type SessionCommand =
  | "new"
  | "list_sessions"
  | "resume"
  | "fork"
  | "get_tree"
  | "branch"
  | "set_name"
  | "set_label"
  | "compact";

const TEXT_CHARACTERS_MAX = 200;

/** A request that cannot be done now. Its message goes into the response. */
class RefusedRequest extends Error {}

/** Throws, for the response, if a run is under way. */
export function refuseWhileRunning(agent: Agent, advice: string): void {
  if (agent.state.isStreaming) throw new RefusedRequest(`A run is under way. ${advice}`);
}

/**
 * Does what is asked. Rejects with an error for people.
 *
 * @param signal stops what takes its time
 */
export async function answerAboutSession(
  request: Extract<RpcRequest, { type: SessionCommand }>,
  keeper: SessionKeeper,
  signal: AbortSignal,
): Promise<{ data?: RpcCommands[RpcCommand]["data"] }> {
  const { tree } = keeper;
  const mayMove = () => refuseWhileRunning(keeper.agent, "Abort it first.");
  switch (request.type) {
    case "new":
      mayMove();
      await keeper.startNew();
      return { data: { session: keeper.id } };
    case "list_sessions":
      return {
        data: {
          sessions: keeper
            .list()
            .map(({ id, title, changedAt, messageCount }) => ({ id, title, changedAt, messageCount })),
        },
      };
    case "resume":
      mayMove();
      await keeper.open(request.session);
      keeper.restoreModel();
      return { data: { session: keeper.id } };
    case "fork":
      mayMove();
      await keeper.fork(request.entry);
      return { data: { session: keeper.id } };
    case "get_tree":
      return {
        data: { leaf: tree.leafId, entries: tree.entries.map((entry) => outline(entry, tree.label(entry.id))) },
      };
    case "branch":
      mayMove();
      await keeper.branch(request.entry);
      return {};
    case "set_name":
      keeper.rename(request.name);
      return {};
    case "set_label":
      keeper.label(request.entry, request.label);
      return {};
    case "compact":
      return { data: { message: await keeper.compact(request.instructions, signal) } };
  }
}

function outline(entry: SessionEntry, label: string | undefined): RpcTreeEntry {
  const { id, parentId, type } = entry;
  const said = entry.type === "message" ? describeMessage(entry.message) : {};
  return { id, parentId, type, ...said, ...(label !== undefined && { label }) };
}

function describeMessage(message: AgentMessage): { role: string; text: string } {
  return { role: message.role, text: messageText(message).slice(0, TEXT_CHARACTERS_MAX) };
}
