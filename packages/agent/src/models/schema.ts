import type { Tool } from "@suite/core";
import { AgentError } from "../errors.js";
import type { JsonSchema } from "../tools/schema.js";

/** The schema of a tool's input, as both APIs want it: of an object, always there. */
export const parametersOf = ({ parameters }: Tool): JsonSchema & { readonly type: "object" } => ({
  type: "object",
  ...(parameters ?? { properties: {} }),
});

/** @throws AgentError `ERR_MODEL_REQUEST` where it is anything but a JSON Schema. */
export function outputSchemaOf(schema: unknown): JsonSchema {
  if (typeof schema === "object" && schema !== null && !Array.isArray(schema) && !("~standard" in schema)) {
    return schema as JsonSchema;
  }
  throw new AgentError(
    "ERR_MODEL_REQUEST",
    "The outputSchema of a model request is a JSON Schema object. Convert other schemas first.",
  );
}
