import type { Message, ModelRequest, Tool } from "@suite/core";
import { isObject } from "@suite/kit";
import type { Tally } from "../redact/tally.js";
import type { Guard } from "./guard.js";
import { Lookup, Memory } from "./memory.js";
import { treatMessage } from "./parts.js";
import type { RunTokens } from "./run-tokens.js";
import { type Treat, treatWith } from "./treat.js";

/** Treats the input of a model. Returns the same request if nothing changed. */
export type TreatRequest = (request: ModelRequest, guard: Guard, tally: Tally, runTokens?: RunTokens) => ModelRequest;

/** Creates a function that treats requests and caches the results for messages and tools. */
export function inputTreatment(): TreatRequest {
  const memory = new Memory();
  return (request, guard, tally, runTokens) => {
    const tokens = runTokens?.tokens;
    const lookup = new Lookup(tally, runTokens);
    const inside = (found: Tally): Treat => treatWith(guard, found, tokens?.inside);
    const messages = each(request.messages, (message: Message) =>
      memory.recall(message, message, lookup, (found) =>
        treatMessage(message, treatWith(guard, found, tokens?.inside, runTokens?.viewOf(message))),
      ),
    );
    const tools = each(request.tools, (tool: Tool) => {
      const { description, parameters } = tool;
      return memory.recall(tool, [description, parameters], lookup, (found) => definition(tool, inside(found)));
    });
    const schema = request.outputSchema;
    const outputSchema = isObject(schema)
      ? memory.recall(schema, schema, lookup, (found) => treatSchema(schema, inside(found)))
      : schema;
    const same = messages === request.messages && tools === request.tools && outputSchema === schema;
    return same ? request : { ...request, messages, tools, ...(outputSchema !== undefined && { outputSchema }) };
  };
}

/** Treats the definition of a tool. The name is not changed because calls refer to it. */
function definition(tool: Tool, treat: Treat): Tool {
  const description = tool.description === undefined ? undefined : treat.text(tool.description);
  const parameters = tool.parameters && treatSchema(tool.parameters, treat);
  if (description === tool.description && parameters === tool.parameters) return tool;
  const copy = Object.assign(Object.create(Object.getPrototypeOf(tool) as object), tool) as Tool;
  return Object.assign(copy, { ...(description !== undefined && { description }), ...(parameters && { parameters }) });
}

function each<T>(list: readonly T[], treat: (one: T) => T): readonly T[] {
  const treated = list.map(treat);
  return treated.every((one, index) => one === list[index]) ? list : treated;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Fields that contain an address, a name or a format. Changing one would change which values are valid. */
const fixed = words(`$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary type format pattern required
  dependentRequired contentEncoding contentMediaType`);
/** Fields that map names to schemas. The names are not changed. */
const named = words("properties patternProperties $defs definitions dependentSchemas");
/** Fields that contain a schema or a list of schemas. */
const nested = words(`items prefixItems additionalItems additionalProperties unevaluatedItems unevaluatedProperties
  contains propertyNames anyOf oneOf allOf not if then else contentSchema`);

/** The maximum depth of a schema. A deeper one may be circular, and is treated like any other value. */
const deepest = 100;

/**
 * Treats the strings of a JSON Schema: descriptions, examples, defaults and allowed values. The result accepts the same
 * names and types. Returns the schema itself if nothing changed.
 */
function treatSchema<T>(schema: T, treat: Treat): T {
  const done = new Map<object, object>();
  const inner = (one: unknown, depth: number): unknown => {
    if (!isObject(one) || depth > deepest) return treat.value(one);
    const known = done.get(one);
    if (known !== undefined) return known;
    const next = (value: unknown): unknown => inner(value, depth + 1);
    const treated = Array.isArray(one) ? mapped(one, next) : mapped(one, (value, field) => fieldOf(field, value, next));
    done.set(one, treated);
    return treated;
  };
  const fieldOf = (field: string, value: unknown, next: (value: unknown) => unknown): unknown => {
    if (fixed.has(field)) return value;
    if (nested.has(field)) return next(value);
    return named.has(field) && isObject(value) ? mapped(value, next) : treat.value(value);
  };
  return inner(schema, 0) as T;
}

/** Returns a copy with changed field values, or the object itself if none changed. */
function mapped(object: object, change: (value: unknown, field: string) => unknown): object {
  let changed = false;
  const entries = Object.entries(object).map(([field, value]) => {
    const treated = change(value, field);
    if (!Object.is(treated, value)) changed = true;
    return [field, treated] as const;
  });
  if (!changed) return object;
  return Array.isArray(object) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
