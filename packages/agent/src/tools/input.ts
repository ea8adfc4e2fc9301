import { AgentError } from "../errors.js";
import { check, explain } from "./schema.js";
import type { AgentTool } from "./tool.js";

/**
 * The input as the tool's schema made it.
 *
 * @throws AgentError `ERR_TOOL_INPUT`, for the model to read.
 */
export async function checked(tool: AgentTool, input: unknown): Promise<unknown> {
  if (tool.input === undefined) return input;
  const result = await check(tool.input, input);
  if ("value" in result) return result.value;
  throw new AgentError(
    "ERR_TOOL_INPUT",
    `The arguments of ${tool.name} do not fit its schema. ${explain(result.issues)}`,
  );
}
