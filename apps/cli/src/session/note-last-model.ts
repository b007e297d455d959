// Takes note of the model that answers, so that the next run can use it again.
import type { Agent } from "@rondo/agent";
import { DEMO_MODEL } from "../demo/model.ts";
import type { ModelSources } from "../settings/model-sources.ts";

/** What answered is used again when no model is named. A name alone does not say where a server of one's own is. */
export function noteLastModel(agent: Agent, { catalog, lastModel }: ModelSources): void {
  agent.subscribe(async (event) => {
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    const { stopReason, provider, model: id } = event.message;
    const { model } = agent.state;
    const isOwn = provider === model.provider && id === model.id && model.api !== DEMO_MODEL.api;
    if (!isOwn || stopReason === "error" || stopReason === "aborted") return;
    const listed = catalog.getProvider(provider) && catalog.getModel(provider, id);
    if (listed?.baseUrl === model.baseUrl) await lastModel.note(model);
  });
}
