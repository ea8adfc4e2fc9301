import type { Tool } from "@suite/core";
import type { ModelSettings, ToolChoice } from "@suite/core/contract";
import { isJson, type Json, jsonOf, objectsOf, stringOf } from "../json.js";

/** One property of a request that one or more fields of the body contain. */
export interface Field<T> {
  read(body: Json): T;
  /** Returns the fields with another value. @param before the value that was read */
  write(value: T, body: Json, before: T): Json;
}

/** The settings: all fields except `others`. @param names their names, by those of OpenTelemetry */
export function settingsIn(names: Readonly<Record<string, string>>, others: readonly string[]): Field<ModelSettings> {
  const neutral = new Map(Object.entries(names).map(([name, wireName]) => [wireName, name]));
  const held = new Set([...others, "model", "stream"]);
  return {
    read: (body) =>
      Object.fromEntries(
        Object.entries(body).flatMap(([key, value]) => (held.has(key) ? [] : [[neutral.get(key) ?? key, value]])),
      ),
    write(changed, _, before) {
      const keys = Object.keys({ ...before, ...changed }).filter((key) => changed[key] !== before[key]);
      return Object.fromEntries(keys.map((key) => [Object.hasOwn(names, key) ? names[key] : key, changed[key]]));
    },
  };
}

/** The names of the fields of a tool's definition. */
interface Definition {
  /** The field of the tool that contains the definition. `undefined` if the tool has the definition's fields itself. */
  readonly inside?: string;
  readonly parameters: string;
  /** Another name of the parameters. A definition with this name keeps it. */
  readonly older?: string;
  readonly type?: string;
}

/** The list of the tools in `tools`, if it is not a plain one. */
interface ToolList {
  read(tools: unknown): readonly Json[];
  write(tools: readonly Json[]): unknown;
}

const flatList: ToolList = { read: objectsOf, write: (tools) => tools };

/** The tools, in `tools`. A tool that was not changed is sent back unchanged. */
export const toolsIn = (definition: Definition, { read, write }: ToolList = flatList): Field<readonly Tool[]> => ({
  read: (body) => read(body.tools).map((wire) => toolOf(wire, definition)),
  write(changed, body, before) {
    if (changed.length === before.length && changed.every((tool, index) => tool === before[index])) return {};
    if (changed.length === 0) return { tools: undefined };
    const wires = read(body.tools);
    const written = changed.map((tool) => {
      const same = wires[before.indexOf(tool)];
      return same ?? writeTool(tool, wires[before.findIndex(({ name }) => name === tool.name)], definition);
    });
    return { tools: write(written) };
  },
});

/** Returns the tool of a definition. A tool that the provider runs has only its name. */
function toolOf(wire: Json, { inside, parameters, older = parameters }: Definition): Tool {
  const toolDefinition = definitionOf(wire, inside);
  const schema = toolDefinition[parameters] ?? toolDefinition[older];
  return {
    name: stringOf(toolDefinition.name) || stringOf(wire.type) || (Object.keys(wire)[0] ?? ""),
    ...(typeof toolDefinition.description === "string" && { description: toolDefinition.description }),
    ...(isJson(schema) && { parameters: schema }),
  };
}

/** Returns the definition of a changed or added tool. Other fields of the old definition stay. */
function writeTool(tool: Tool, before: Json | undefined, { inside, parameters, older, type }: Definition): Json {
  const previousDefinition = before && definitionOf(before, inside);
  const field =
    older !== undefined && previousDefinition !== undefined && older in previousDefinition ? older : parameters;
  const definition = {
    ...previousDefinition,
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.parameters !== undefined && { [field]: tool.parameters }),
  };
  const head = { ...(type !== undefined && { type }) };
  return inside === undefined ? { ...head, ...definition } : { ...head, ...before, [inside]: definition };
}

const definitionOf = (wire: Json, inside: string | undefined): Json =>
  inside === undefined || !isJson(wire[inside]) ? wire : jsonOf(wire[inside]);

/** The choice of a tool, in `tool_choice`. @param write returns it in the form of the protocol */
export const toolChoiceIn = (write: (choice: ToolChoice) => unknown): Field<ToolChoice | undefined> => ({
  read({ tool_choice: wire }) {
    if (wire === "auto" || wire === "none" || wire === "required") return wire;
    const { type, name, function: functionField } = jsonOf(wire);
    const called = stringOf(name) || stringOf(jsonOf(functionField).name);
    if (called !== "") return { name: called };
    return type === "any" ? "required" : type === "auto" || type === "none" ? type : undefined;
  },
  write: (choice) => ({ tool_choice: choice && write(choice) }),
});

/**
 * The schema of the answer, in `schema` of the field `inside` of a field.
 *
 * @param outer fields next to `inside` that go with it
 * @param inner fields next to `schema`. Another type of format is replaced.
 */
export const schemaIn = (field: string, inside: string, outer: Json, inner: Json): Field<unknown> => ({
  read(body) {
    const { schema } = jsonOf(jsonOf(body[field])[inside]);
    return isJson(schema) ? schema : undefined;
  },
  write(schema, body) {
    const { [inside]: before, ...rest } = jsonOf(body[field]);
    const original = jsonOf(before);
    if (isJson(schema)) {
      const reused = original.type === inner.type ? original : {};
      return { [field]: { ...rest, ...outer, [inside]: { ...inner, ...reused, schema } } };
    }
    const remaining = Object.entries(rest).filter(([key]) => !(key in outer));
    return { [field]: remaining.length === 0 ? undefined : Object.fromEntries(remaining) };
  },
});
