import { AgentError } from "../errors.js";
import { checked } from "../tools/input.js";
import type { AgentTool } from "../tools/tool.js";
import type { Decision } from "./decisions.js";
import { notAllowed, show } from "./match.js";
import type { PendingCall } from "./state.js";

/**
 * Checks a call as a person edited it: its tool must exist, and take the arguments.
 *
 * @throws AgentError `ERR_DECISION_NOT_ALLOWED`
 */
export async function checkEdit(tools: ReadonlyMap<string, AgentTool>, name: string, args: unknown): Promise<void> {
  const tool = tools.get(name);
  if (tool === undefined) throw notAllowed(`An edit names the tool ${show(name)}, which does not exist.`);
  try {
    await checked(tool, args);
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    throw notAllowed(`An edit gives arguments that ${tool.name} does not take. ${error.message}`);
  }
}

/**
 * Checks the edits among the decisions on calls of one agent, before anything is used up.
 *
 * @param certain that these are all tools: a plugin may offer more when the run begins.
 * @throws AgentError `ERR_DECISION_NOT_ALLOWED`
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
