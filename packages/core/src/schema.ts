import type { Awaitable } from "./contract/protocol.js";
import { isObject } from "./options.js";

/** One thing that is wrong with a value, and where. Never the value. */
export interface SchemaIssue {
  /** The path of the value, such as `/items/0/price`; empty for the whole. */
  readonly path: string;
  readonly problem: string;
}

/** The value as its schema made it, or what is wrong with it. */
export type SchemaChecked = { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] };

/** A validator of one JSON Schema, as `@cfworker/json-schema` has it. */
export interface JsonSchemaValidator {
  validate(value: unknown): {
    readonly valid: boolean;
    readonly errors: readonly { readonly instanceLocation: string; readonly keyword: string }[];
  };
}

/** A schema of any Standard Schema library, as far as it is asked. */
interface StandardSchema {
  readonly "~standard": {
    validate(value: unknown): Awaitable<{
      readonly value?: unknown;
      readonly issues?:
        | readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[]
        | undefined;
    }>;
  };
}

/** The most issues that are told of one value. */
const mostIssues = 5;

/** Whether it is a schema of a Standard Schema library (zod, valibot, arktype), which may be a function. */
export const isStandardSchema = (schema: object): boolean => "~standard" in schema;

/**
 * A function that checks values by JSON Schema or Standard Schema. Validators are made once for each schema.
 *
 * @param compile makes the validator of a JSON Schema: core has none.
 * @example
 * ```ts
 * const check = schemaChecker((schema) => new Validator(schema, "2020-12", false));
 * ```
 */
export function schemaChecker(
  compile: (schema: object) => JsonSchemaValidator,
): (schema: object, value: unknown) => Promise<SchemaChecked> {
  const validators = new WeakMap<object, JsonSchemaValidator>();
  return async (schema, value) => {
    if (isStandardSchema(schema)) {
      const result = await (schema as StandardSchema)["~standard"].validate(value);
      if (result.issues === undefined) return { value: result.value };
      const told = result.issues.slice(0, mostIssues);
      return { issues: told.map(({ path, message }) => ({ path: pathOf(path), problem: message })) };
    }
    let validator = validators.get(schema);
    if (validator === undefined) {
      validator = compile(schema);
      validators.set(schema, validator);
    }
    const { valid, errors } = validator.validate(value);
    if (valid) return { value };
    // That something within an object does not hold is told by what does not.
    const leaves = errors.filter(({ keyword }) => keyword !== "properties" && keyword !== "items").slice(0, mostIssues);
    return {
      issues: leaves.map(({ instanceLocation, keyword }) => ({
        path: instanceLocation.replace(/^#/, ""),
        problem: keyword,
      })),
    };
  };
}

/** Issues as one line for a model. */
export const explainIssues = (issues: readonly SchemaIssue[]): string =>
  issues.map(({ path, problem }) => `${path === "" ? "the whole" : path}: ${problem}`).join("; ");

const pathOf = (path: readonly unknown[] | undefined): string =>
  (path ?? []).map((step) => `/${String(isObject(step) && "key" in step ? step.key : step)}`).join("");

/** Keywords that hold schemas by names of the schema's own. */
const named: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
/** Keywords that hold values, and no schemas. */
const literal: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
/** Keywords that are expressions, or count what expressions have left. */
const patterns: ReadonlySet<string> = new Set(["pattern", "patternProperties"]);
const leftovers: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

/** A JSON Schema without its expressions: those may never end on a text that is made for it. Itself where it has none. */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return mapped(schema, withoutPatterns);
  if (!isObject(schema)) return schema;
  const left = Object.entries(schema).filter(
    ([key]) => !patterns.has(key) && !("patternProperties" in schema && leftovers.has(key)),
  );
  let same = left.length === Object.keys(schema).length;
  const inner = left.map(([key, value]): readonly [string, unknown] => {
    if (literal.has(key) || !isObject(value)) return [key, value];
    const without = named.has(key) && !Array.isArray(value) ? ofEach(value) : withoutPatterns(value);
    if (without !== value) same = false;
    return [key, without];
  });
  return same ? schema : Object.fromEntries(inner);
}

function ofEach(schemas: Readonly<Record<string, unknown>>): unknown {
  const inner = Object.entries(schemas).map(([name, each]) => [name, withoutPatterns(each)] as const);
  return inner.every(([name, each]) => each === schemas[name]) ? schemas : Object.fromEntries(inner);
}

function mapped(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const inner = list.map(change);
  return inner.every((value, index) => value === list[index]) ? list : inner;
}
