import type { Tool } from "@suite/core";
import type { RequestFormat } from "../formats/format.js";
import { isJson, type Json, jsonOf, stringOf } from "../json.js";

type Place = RequestFormat["tool"];

/** A tool as the model is offered it; one that the provider runs has only its name. */
export function toolOf(wire: Json, { inside, parameters }: Place): Tool {
  const own = definitionOf(wire, inside);
  const schema = own[parameters];
  return {
    name: stringOf(own.name) || stringOf(wire.type),
    ...(typeof own.description === "string" && { description: own.description }),
    ...(isJson(schema) && { parameters: schema }),
  };
}

/** The tool of the wire: a copy of the one that it changes, with what else that says. */
export function writeTool(tool: Tool, before: Json | undefined, { inside, parameters, type }: Place): Json {
  const definition = {
    ...(before && definitionOf(before, inside)),
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.parameters !== undefined && { [parameters]: tool.parameters }),
  };
  const head = { ...(type !== undefined && { type }) };
  if (inside === undefined) return { ...head, ...definition };
  return { ...head, ...before, [inside]: definition };
}

const definitionOf = (wire: Json, inside: string | undefined): Json =>
  inside === undefined || !isJson(wire[inside]) ? wire : jsonOf(wire[inside]);
