import { Validator } from "@cfworker/json-schema";
import type { Tool } from "@suite/core";
import { isObject } from "@suite/kit";
import { explainIssues, schemaChecker, withoutPatterns } from "@suite/kit/schema";

const check = schemaChecker((schema) => new Validator(withoutPatterns(schema) as object, "2020-12", false));

/**
 * Returns the problems with the arguments of a tool call as a short text for the model, or `undefined` if they are
 * valid. If the schema itself cannot be used, the arguments count as valid, because the framework may accept them.
 */
export async function problemWith(tool: Tool, input: unknown): Promise<string | undefined> {
  if (typeof input === "string") return "they are not valid JSON, or were truncated";
  // The schema that validates the tools of @suite/agent. It may be stricter than `parameters`.
  const inputSchema = "input" in tool && isObject(tool.input) ? tool.input : undefined;
  const schema = inputSchema ?? tool.parameters;
  if (schema === undefined) return isObject(input) ? undefined : "they are not an object";
  try {
    // Expressions may come from anywhere and never end: they are left to the framework.
    const checked = await check(schema, input);
    return "issues" in checked ? explainIssues(checked.issues) : undefined;
  } catch {
    return undefined;
  }
}
