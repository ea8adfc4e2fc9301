import type { Tool, ToolChoice } from "@suite/core";
import { toChatToolChoice, toMessagesToolChoice } from "@suite/wire";
import { isJson, type Json, jsonOf, stringOf } from "../json.js";
import type { RequestFormat, ToolPlace } from "./format.js";

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

/** The choice of a tool in a request, in the words of any of the protocols. */
export function choiceOf(wire: unknown): ToolChoice | undefined {
  if (wire === "auto" || wire === "none" || wire === "required") return wire;
  if (!isJson(wire)) return undefined;
  const name = stringOf(wire.name) || stringOf(jsonOf(wire.function).name);
  if (name !== "") return { name };
  if (wire.type === "any") return "required";
  return wire.type === "auto" || wire.type === "none" ? wire.type : undefined;
}

/** The choice in the words of one protocol: in Anthropic's, whose tools have no type, all is an object. */
export function writeChoice(choice: ToolChoice | undefined, { inside, type }: RequestFormat["tool"]): unknown {
  if (choice === undefined) return undefined;
  if (type === undefined) return toMessagesToolChoice(choice);
  if (inside !== undefined || typeof choice === "string") return toChatToolChoice(choice);
  return { type, name: choice.name };
}
