import { Validator } from "@cfworker/json-schema";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isStandardSchema, type SchemaChecked, schemaChecker } from "@suite/kit/schema";
import { AgentError } from "../errors.js";

/** A JSON Schema, for the input of a tool or for structured output. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A schema of a tool's input: JSON Schema (2020-12), or a schema of any Standard Schema library (zod, valibot,
 * arktype).
 */
export type InputSchema = JsonSchema | StandardSchemaV1;

/** The output type of a schema, or `unknown` if the schema does not declare one. */
export type OutputOf<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : unknown;

export const isStandard = (schema: object): schema is StandardSchemaV1 => isStandardSchema(schema);

/** Checks a value with JSON Schema or Standard Schema. */
export const check: (schema: InputSchema, value: unknown) => Promise<SchemaChecked> = schemaChecker(
  (schema) => new Validator(schema, "2020-12", false),
);

/**
 * Returns the JSON Schema that the model receives.
 *
 * @throws AgentError `ERR_AGENT_OPTIONS`
 */
export function jsonSchemaOf(schema: InputSchema | undefined, name: string): JsonSchema {
  if (schema === undefined) return { type: "object", properties: {} };
  if (!isStandard(schema)) return schema;
  const json = writtenBy(schema);
  if (json !== undefined) return json;
  throw new AgentError(
    "ERR_AGENT_OPTIONS",
    `The schema of ${name} (${schema["~standard"].vendor}) does not offer JSON Schema. Wrap it (valibot: toStandardJsonSchema); for a tool you can also set \`parameters\`.`,
  );
}

/**
 * Returns the JSON Schema of a final answer as the model receives it. Libraries generate objects that allow additional
 * properties, which providers refuse, so these objects are closed.
 *
 * @throws AgentError `ERR_AGENT_OPTIONS`
 */
export function outputJsonSchemaOf(schema: InputSchema): JsonSchema {
  const json = jsonSchemaOf(schema, "the output");
  return isStandard(schema) ? (closed(json) as JsonSchema) : json;
}

/**
 * Returns the input JSON Schema of a Standard Schema, or `undefined` if its library cannot generate one. It is a copy,
 * because libraries attach more properties to theirs.
 */
export function writtenBy(schema: StandardSchemaV1): JsonSchema | undefined {
  const json = (schema["~standard"] as { jsonSchema?: { input(options: { target: string }): JsonSchema } }).jsonSchema;
  return json && JSON.parse(JSON.stringify(json.input({ target: "draft-2020-12" })));
}

/**
 * Closes each object that has properties and does not set `additionalProperties`. Not inside `allOf`, whose closed
 * parts would exclude each other.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null || "allOf" in schema) return schema;
  const inner: Record<string, unknown> = mapped(schema, (value, key) => {
    if (literal.has(key)) return value;
    return named.has(key) ? mapped(value, closed) : closed(value);
  });
  const open = inner.type === "object" && typeof inner.properties === "object" && !("additionalProperties" in inner);
  return open ? { ...inner, additionalProperties: false } : inner;
}

const mapped = (object: unknown, change: (value: unknown, key: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [key, change(value, key)]));

/** Keywords that contain schemas by name. */
const named: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);

/** Keywords that contain values, not schemas. */
const literal: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
