import type { Awaitable } from "@suite/core";
import { isObject } from "@suite/core/internal";
import { unicodePattern } from "./unicode-pattern.js";

/** One problem of a value, and its path. Never the value. */
export interface SchemaIssue {
  /** The path of the value, such as `/items/0/price`. Empty for the whole value. */
  readonly path: string;
  readonly problem: string;
}

/** The value as the schema returned it, or its problems. */
export type SchemaChecked = { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] };

/** A validator of one JSON Schema, with the API of `@cfworker/json-schema`. */
export interface JsonSchemaValidator {
  validate(value: unknown): {
    readonly valid: boolean;
    readonly errors: readonly { readonly instanceLocation: string; readonly keyword: string }[];
  };
}

/** The part of a Standard Schema that is used here. */
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

/** The maximum number of reported issues per value. */
const mostIssues = 5;

/** True for a schema of a Standard Schema library (zod, valibot, arktype), which may be a function. */
export const isStandardSchema = (schema: object): boolean => "~standard" in schema;

/**
 * Returns a function that checks values by JSON Schema or Standard Schema. Each schema's validator is created once.
 * Expressions that compile only without the `u` flag are rewritten.
 *
 * @param compile creates the validator of a JSON Schema, since this package has none.
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
      const issues = result.issues.slice(0, mostIssues);
      return { issues: issues.map(({ path, message }) => ({ path: pathOf(path), problem: message })) };
    }
    let validator = validators.get(schema);
    if (validator === undefined) {
      validator = compile(withUnicodePatterns(schema) as object);
      validators.set(schema, validator);
    }
    const { valid, errors } = validator.validate(value);
    if (valid) return { value };
    // Errors of containers are left out: the errors inside them are more specific.
    const leaves = errors.filter(({ keyword }) => keyword !== "properties" && keyword !== "items").slice(0, mostIssues);
    return {
      issues: leaves.map(({ instanceLocation, keyword }) => ({
        path: instanceLocation.replace(/^#/, ""),
        problem: keyword,
      })),
    };
  };
}

/** Formats issues as one line for a model. */
export const explainIssues = (issues: readonly SchemaIssue[]): string =>
  issues.map(({ path, problem }) => `${path === "" ? "the value" : path}: ${problem}`).join("; ");

const pathOf = (path: readonly unknown[] | undefined): string =>
  (path ?? []).map((step) => `/${String(isObject(step) && "key" in step ? step.key : step)}`).join("");

/** Keywords that map the schema author's names to schemas. */
const named: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
/** Keywords with values that are not schemas. */
const literal: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "required"]);
/** Keywords with expressions, or that depend on their matches. */
const patterns: ReadonlySet<string> = new Set(["pattern", "patternProperties"]);
const leftovers: ReadonlySet<string> = new Set(["additionalProperties", "unevaluatedProperties"]);

type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns a JSON Schema without its expressions, since a crafted string may make them run endlessly. Returns the schema
 * itself if it has none.
 */
export const withoutPatterns = (schema: unknown): unknown =>
  changed(schema, (each) => {
    const remaining = Object.entries(each).filter(
      ([key]) => !patterns.has(key) && !("patternProperties" in each && leftovers.has(key)),
    );
    return remaining.length === Object.keys(each).length ? each : Object.fromEntries(remaining);
  });

const withUnicodePatterns = (schema: unknown): unknown =>
  changed(schema, (each) =>
    mapped(each, (value, key) => {
      if (key === "pattern" && typeof value === "string") return unicodePattern(value);
      if (key !== "patternProperties" || !isObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [unicodePattern(name), inner]));
    }),
  );

/** Changes a schema and all schemas in it. Returns the schema itself if nothing has changed. */
function changed(schema: unknown, change: (schema: Schema) => Schema): unknown {
  const inside = (each: unknown): unknown => changed(each, change);
  if (Array.isArray(schema)) {
    const inner = schema.map(inside);
    return inner.every((value, index) => value === schema[index]) ? schema : inner;
  }
  if (!isObject(schema)) return schema;
  return mapped(change(schema), (value, key) => {
    if (literal.has(key)) return value;
    return named.has(key) && isObject(value) && !Array.isArray(value) ? mapped(value, inside) : inside(value);
  });
}

/** Changes the values of an object. Returns the object itself if nothing has changed. */
function mapped(object: Schema, change: (value: unknown, key: string) => unknown): Schema {
  const inner = Object.entries(object).map(([key, value]) => [key, change(value, key)] as const);
  return inner.every(([key, value]) => value === object[key]) ? object : Object.fromEntries(inner);
}
