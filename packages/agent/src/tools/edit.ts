import { AgentError } from "../errors.js";
import { notAllowed, show } from "../pending/decisions.js";
import { checked } from "./input.js";
import type { AgentTool } from "./tool.js";

/** A call as a person edited it. */
export interface Edit {
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Checks a call as a person edited it: its tool must exist, and take the arguments.
 *
 * @throws AgentError `ERR_AGENT_DECISION_NOT_ALLOWED`
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
