import type { Tool } from "@suite/core";
import { AgentError } from "../errors.js";
import { isStandard, type JsonSchema, writtenBy } from "../tools/schema.js";

/** Decides which tools the model finds by the provider's tool search, instead of reading them in each request. */
export type DeferLoading = (tool: Tool) => boolean;

/** Returns the schema of a tool's input as both APIs require it: always present, and of an object. */
export const parametersOf = ({ parameters }: Tool): JsonSchema & { readonly type: "object" } => ({
  type: "object",
  ...(parameters ?? { properties: {} }),
});

/** @throws AgentError `ERR_AGENT_MODEL_REQUEST` if the value is not a JSON Schema and cannot be converted to one. */
export function outputSchemaOf(schema: unknown): JsonSchema {
  if (((typeof schema === "object" && schema !== null) || typeof schema === "function") && !Array.isArray(schema)) {
    const json = isStandard(schema) ? writtenBy(schema) : (schema as JsonSchema);
    if (json !== undefined) return json;
  }
  throw new AgentError(
    "ERR_AGENT_MODEL_REQUEST",
    "The outputSchema of a model request is a JSON Schema object. Convert other schemas first.",
  );
}
