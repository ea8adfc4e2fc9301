import type { ToolChoice } from "@suite/core";
import { toChatToolChoice, toMessagesToolChoice } from "@suite/wire";
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

/** The choice in the words of one protocol: in Anthropic's, whose tools have no type, all is an object. */
export function writeChoice(choice: ToolChoice | undefined, { inside, type }: RequestFormat["tool"]): unknown {
  if (choice === undefined) return undefined;
  if (type === undefined) return toMessagesToolChoice(choice);
  if (inside !== undefined || typeof choice === "string") return toChatToolChoice(choice);
  return { type, name: choice.name };
}
