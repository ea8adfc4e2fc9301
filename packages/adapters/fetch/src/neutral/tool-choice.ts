import type { ToolChoice } from "@suite/core";
import { isJson, jsonOf, stringOf } from "../json.js";
import type { RequestFormat } from "./format.js";

/** The choice of a tool in a request, in the words of any of the protocols. */
export function choiceOf(wire: unknown): ToolChoice | undefined {
  if (wire === "auto" || wire === "none" || wire === "required") return wire;
  if (!isJson(wire)) return undefined;
  const name = stringOf(wire.name) || stringOf(jsonOf(wire.function).name);
  if (name !== "") return { name };
  if (wire.type === "any") return "required";
  return wire.type === "auto" || wire.type === "none" ? wire.type : undefined;
}

/** The same in the words of one: in Anthropic's, whose tools have no type, all is an object. */
export function writeChoice(choice: ToolChoice | undefined, { inside, type }: RequestFormat["tool"]): unknown {
  if (choice === undefined) return undefined;
  if (type === undefined) {
    if (typeof choice === "object") return { type: "tool", name: choice.name };
    return { type: choice === "required" ? "any" : choice };
  }
  if (typeof choice === "string") return choice;
  return inside === undefined ? { type, name: choice.name } : { type, [inside]: { name: choice.name } };
}
