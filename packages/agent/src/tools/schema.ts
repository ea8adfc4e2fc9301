import { Validator } from "@cfworker/json-schema";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { AgentError } from "../errors.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What may be given as a tool's input: JSON Schema (2020-12), or a schema of any Standard Schema library (zod, valibot, arktype). */
export type InputSchema = JsonSchema | StandardSchemaV1;

/** One thing wrong, and where. Never a value. */
export interface Issue {
  readonly path: string;
  readonly problem: string;
}

/** The value as the schema made it, or what is wrong with it. */
export type Checked = { readonly value: unknown } | { readonly issues: readonly Issue[] };

const maxIssues = 5;
const validators = new WeakMap<JsonSchema, Validator>();

const isStandard = (schema: object): schema is StandardSchemaV1 => "~standard" in schema;

/** Checks a value by JSON Schema or Standard Schema. */
export async function check(schema: InputSchema, value: unknown): Promise<Checked> {
  if (isStandard(schema)) {
    const result = await schema["~standard"].validate(value);
    if (result.issues === undefined) return { value: result.value };
    return {
      issues: result.issues.slice(0, maxIssues).map(({ path, message }) => ({ path: pathOf(path), problem: message })),
    };
  }
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new Validator(schema, "2020-12", false);
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(value);
  if (valid) return { value };
  const leaves = errors.filter((error) => error.keyword !== "properties" && error.keyword !== "items");
  return {
    issues: leaves
      .slice(0, maxIssues)
      .map((error) => ({ path: error.instanceLocation.replace(/^#/, ""), problem: error.keyword })),
  };
}

/** Issues as one line for a model. */
export const explain = (issues: readonly Issue[]): string =>
  issues.map(({ path, problem }) => `${path === "" ? "the whole" : path}: ${problem}`).join("; ");

/**
 * The JSON Schema that the model is shown.
 *
 * @throws AgentError `ERR_AGENT_OPTIONS`
 */
export function jsonSchemaOf(schema: InputSchema | undefined, name: string): JsonSchema {
  if (schema === undefined) return { type: "object", properties: {} };
  if (!isStandard(schema)) return schema;
  const json = (schema["~standard"] as { jsonSchema?: { input(options: { target: string }): JsonSchema } }).jsonSchema;
  if (json !== undefined) return json.input({ target: "draft-2020-12" });
  throw new AgentError(
    "ERR_AGENT_OPTIONS",
    `The schema of ${name} (${schema["~standard"].vendor}) does not offer JSON Schema. Give \`parameters\` beside it.`,
  );
}

const pathOf = (path: readonly unknown[] | undefined): string =>
  (path ?? [])
    .map((step) => `/${String(typeof step === "object" && step !== null && "key" in step ? step.key : step)}`)
    .join("");
