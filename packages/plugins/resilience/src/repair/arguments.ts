import { Validator } from "@cfworker/json-schema";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Tool } from "@suite/core";
import { isObject } from "@suite/core/options";

/** The most problems that are told of one call. */
const most = 5;

const validators = new WeakMap<object, Validator>();

/**
 * The problems with the arguments of a tool call, in a few words for the model; undefined where they fit. A schema that
 * cannot be checked by is no reason to refuse what the framework might take.
 */
export async function problemWith(tool: Tool, given: unknown): Promise<string | undefined> {
  if (typeof given === "string") return "they are not JSON, or were cut off before their end";
  // Of @suite/agent: what its tools are checked by, which may say more than `parameters`.
  const own = "input" in tool && isObject(tool.input) ? tool.input : undefined;
  const schema = own ?? tool.parameters;
  if (schema === undefined) return isObject(given) ? undefined : "they are no object";
  try {
    return "~standard" in schema
      ? await byStandard(schema as unknown as StandardSchemaV1, given)
      : byJsonSchema(schema, given);
  } catch {
    return undefined;
  }
}

async function byStandard(schema: StandardSchemaV1, given: unknown): Promise<string | undefined> {
  const { issues } = await schema["~standard"].validate(given);
  return issues
    ?.slice(0, most)
    .map(({ path, message }) => `${pathOf(path)}: ${message}`)
    .join("; ");
}

const pathOf = (path: readonly unknown[] | undefined): string =>
  (path ?? []).map((step) => `/${String(isObject(step) ? step.key : step)}`).join("") || "the whole";

function byJsonSchema(schema: object, given: unknown): string | undefined {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = new Validator(withoutPatterns(schema) as object, "2020-12", false);
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(given);
  if (valid) return undefined;
  const leaves = errors.filter(({ keyword }) => keyword !== "properties" && keyword !== "items");
  return leaves
    .slice(0, most)
    .map(({ instanceLocation: at, keyword }) => `${at.slice(1) || "the whole"}: ${keyword}`)
    .join("; ");
}

/** Keywords that hold schemas by names of the schema's own. */
const named: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords that hold values, and no schemas. */
const literal: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
/** Keywords that are expressions, or count what expressions have left. */
const patterns: ReadonlySet<string> = new Set(["pattern", "patternProperties"]);
const leftovers: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/** The schema without its expressions, which may come from anywhere and never end: they are left to the framework. */
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const left = Object.entries(schema).filter(
    ([key]) => !patterns.has(key) && !("patternProperties" in schema && leftovers.has(key)),
  );
  return Object.fromEntries(
    left.map(([key, value]) => {
      if (literal.has(key) || !isObject(value)) return [key, value];
      if (!named.has(key)) return [key, withoutPatterns(value)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutPatterns(each)]))];
    }),
  );
}
