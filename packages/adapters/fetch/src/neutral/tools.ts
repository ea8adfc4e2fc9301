import type { Tool } from "@suite/core";
import { isJson, type Json, jsonOf, stringOf } from "../json.js";
import type { ToolPlace } from "./format.js";

/** A tool as the model is offered it; one that the provider runs has only its name. */
export function toolOf(wire: Json, { inside, parameters, older = parameters }: ToolPlace): Tool {
  const own = definitionOf(wire, inside);
  const schema = own[parameters] ?? own[older];
  return {
    name: stringOf(own.name) || stringOf(wire.type) || (Object.keys(wire)[0] ?? ""),
    ...(typeof own.description === "string" && { description: own.description }),
    ...(isJson(schema) && { parameters: schema }),
  };
}

/** The tool of the wire: a copy of the one that it changes, with what else that says. */
export function writeTool(tool: Tool, before: Json | undefined, { inside, parameters, older, type }: ToolPlace): Json {
  const own = before && definitionOf(before, inside);
  const field = older !== undefined && own !== undefined && older in own ? older : parameters;
  const definition = {
    ...own,
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.parameters !== undefined && { [field]: tool.parameters }),
  };
  const head = { ...(type !== undefined && { type }) };
  if (inside === undefined) return { ...head, ...definition };
  return { ...head, ...before, [inside]: definition };
}

const definitionOf = (wire: Json, inside: string | undefined): Json =>
  inside === undefined || !isJson(wire[inside]) ? wire : jsonOf(wire[inside]);
