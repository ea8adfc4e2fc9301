import { isRecord } from "@suite/kit";
import { explainIssues, type SchemaChecked } from "@suite/kit/schema";
import { AgentError } from "../errors.js";
import { notAllowed, show } from "../pending/decisions.js";
import { deeperThan, maxDepth } from "../pending/json.js";
import { check, type InputSchema } from "./schema.js";
import type { AgentTool } from "./tool.js";

/** The schema of tools that declare none. */
const anyObject = { type: "object" } as const;

/**
 * Returns the input after the tool's schema. If only `parameters` is set, it is used as the schema. This also applies
 * to tools of plugins and other libraries, so that no tool receives input that its schema forbids.
 *
 * @throws AgentError `ERR_AGENT_TOOL_INPUT` with a message for the model.
 */
export async function checked(tool: AgentTool, rawInput: unknown): Promise<unknown> {
  const input = rawInput === undefined ? {} : rawInput; // the model sent no arguments
  if (deeperThan(input, maxDepth)) {
    throw refused(`The arguments of ${tool.name} are nested deeper than ${maxDepth} levels.`);
  }
  const result = await checkedBy(tool.input ?? tool.parameters ?? anyObject, input, tool.name);
  if ("value" in result) return result.value;
  // Arguments that are not JSON, or were cut off, remain a string.
  if (typeof input === "string") {
    throw refused(
      `The arguments of ${tool.name} are not valid JSON, or were truncated. It was not run. Send complete arguments as one JSON object.`,
    );
  }
  throw refused(`The arguments of ${tool.name} do not match its schema. ${explainIssues(result.issues)}`);
}

async function checkedBy(schema: InputSchema, input: unknown, name: string): Promise<SchemaChecked> {
  const isJsonSchema = !("~standard" in schema);
  // The provider always receives an object schema, even if this schema does not name a type.
  if (isJsonSchema && !("type" in schema) && !isRecord(input)) return { issues: [{ path: "", problem: "type" }] };
  try {
    return await check(schema, input);
  } catch (error) {
    if (!isJsonSchema) throw error;
    throw refused(`The schema of ${name} cannot be used to check arguments. It was not run.`, { cause: error });
  }
}

const refused = (message: string, options?: ErrorOptions): AgentError =>
  new AgentError("ERR_AGENT_TOOL_INPUT", message, options);

/** A call as a person edited it. */
export interface Edit {
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Checks a call that a person edited: its tool must exist and accept the arguments.
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
    throw notAllowed(`An edit contains arguments that ${tool.name} does not accept. ${error.message}`);
  }
}
