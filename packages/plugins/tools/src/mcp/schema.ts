import { isObject } from "@suite/kit";
import { toolText } from "./texts.js";

type Schema = Readonly<Record<string, unknown>>;

const words = (all: string): readonly string[] => all.split(" ");
/** Keywords that are copied if their value has the expected type. */
const plainKeywords = new Map<string, (value: unknown) => boolean>([
  ...words("title description format").map((each) => [each, (value: unknown) => typeof value === "string"] as const),
  ...words("uniqueItems nullable deprecated").map((each) => [each, (value: unknown) => value === true] as const),
  ...words("minimum maximum exclusiveMinimum exclusiveMaximum").map((each) => [each, Number.isFinite] as const),
  ...words("minLength maxLength minItems maxItems minProperties maxProperties").map((each) => [each, isSize] as const),
  ["multipleOf", (value) => typeof value === "number" && value > 0],
  ["enum", (value) => Array.isArray(value) && value.length > 0],
  ...words("default const").map((each) => [each, () => true] as const),
]);
const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

const mostNodes = 500;
const deepest = 10;
const mostCharacters = 20_000;
const nothing: Schema = { type: "object", properties: {} };

/**
 * Sanitizes a server's input schema: keeps only known keywords, drops expressions, inlines references to its
 * definitions and drops other references, and limits size and depth. An invalid or too large schema becomes an object
 * with any fields. The server validates its input itself.
 */
export function safeSchema(received: unknown): Schema {
  const copy = new Copy(received);
  try {
    const { anyOf, oneOf, allOf, not, enum: _, const: __, ...schema } = copy.schema(received, 0);
    const complete = { ...schema, type: "object", properties: isObject(schema.properties) ? schema.properties : {} };
    return JSON.stringify(complete).length > mostCharacters ? nothing : complete;
  } catch {
    return nothing;
  }
}

class Copy {
  readonly #root: unknown;
  #nodes = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** @throws if the schema is too large */
  schema(source: unknown, depth: number): Record<string, unknown> {
    if (++this.#nodes > mostNodes) throw new RangeError("The schema is too large.");
    if (depth > deepest || !isObject(source)) return {};
    const to = this.#at(source.$ref);
    if (to !== undefined) return this.schema(to, depth + 1);
    const copy: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(source)) {
      if (plainKeywords.get(keyword)?.(value) === true) copy[keyword] = this.#value(value, depth + 1);
      else if (keyword === "type") copy.type = typeOf(value);
      else if (lists.has(keyword) && Array.isArray(value) && value.length > 0) {
        copy[keyword] = value.map((each) => this.schema(each, depth + 1));
      } else if (keyword === "items" || keyword === "not") copy[keyword] = this.schema(value, depth + 1);
      else if (keyword === "additionalProperties") {
        copy[keyword] = typeof value === "boolean" ? value : this.schema(value, depth + 1);
      } else if (keyword === "properties" && isObject(value)) copy.properties = this.#properties(value, depth);
    }
    if (copy.type === undefined) delete copy.type;
    const { properties } = copy;
    if (Array.isArray(source.required) && isObject(properties)) {
      const required = source.required.filter((name) => typeof name === "string" && Object.hasOwn(properties, name));
      if (required.length > 0) copy.required = [...new Set(required)];
    }
    return copy;
  }

  /** Keeps only names that providers accept, since they would reject the whole request. */
  #properties(source: Schema, depth: number): Schema {
    const names = Object.keys(source).filter((name) => /^[\w.-]{1,64}$/.test(name) && name !== "__proto__");
    return Object.fromEntries(names.map((name) => [name, this.schema(source[name], depth + 1)]));
  }

  #value(value: unknown, depth: number): unknown {
    if (++this.#nodes > mostNodes) throw new RangeError("The schema is too large.");
    if (typeof value === "string") return toolText(value);
    if (depth > deepest || typeof value !== "object" || value === null) return typeof value === "object" ? null : value;
    if (Array.isArray(value)) return value.map((each) => this.#value(each, depth + 1));
    const pairs = Object.entries(value).map(([name, each]) => [toolText(name), this.#value(each, depth + 1)] as const);
    return Object.fromEntries(pairs.filter(([name]) => name !== "__proto__"));
  }

  /** Returns the definition that a reference points to, if it is in this schema. */
  #at(ref: unknown): unknown {
    const [, section, name] = typeof ref === "string" ? (/^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(ref) ?? []) : [];
    const all = section === undefined || !isObject(this.#root) ? undefined : this.#root[section];
    return name !== undefined && isObject(all) && Object.hasOwn(all, name) ? all[name] : undefined;
  }
}

function typeOf(value: unknown): unknown {
  const all = (Array.isArray(value) ? value : [value]).filter((each) => types.has(each));
  return all.length < 2 ? all[0] : all;
}

function isSize(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
