import type { Decision } from "../pending/decisions.js";
import type { PendingCall } from "../pending/state.js";
import { checkEdit } from "../tools/input.js";
import type { AgentTool } from "../tools/tool.js";

/**
 * Checks the edits among the decisions on calls of one agent, before the state is used.
 *
 * @param certain true if `tools` contains all tools. Otherwise plugins may add more when the run begins.
 * @throws AgentError `ERR_AGENT_DECISION_NOT_ALLOWED`
 */
export async function checkEdits(
  calls: readonly PendingCall[],
  decisions: ReadonlyMap<string, Decision>,
  tools: ReadonlyMap<string, AgentTool>,
  certain: boolean,
): Promise<void> {
  for (const call of calls) {
    const decision = decisions.get(call.id);
    if (decision?.type !== "approve" || call.id.includes("/")) continue;
    const { tool = call.name, arguments: args = call.arguments } = decision;
    if (decision.tool === undefined && decision.arguments === undefined) continue;
    if (certain || tools.has(tool)) await checkEdit(tools, tool, args);
  }
}
