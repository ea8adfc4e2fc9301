import { type Message, type Part, type Role, toolContentOf } from "@suite/core";
import { otherItemPart } from "@suite/wire";
import { type Json, jsonOf, objectsOf, parsed, stringOf, textOfValue } from "../../json.js";
import type { Outgoing, Remember } from "../../neutral/format.js";
import { contentPart, writeContent } from "./content.js";

/** An item of a history. */
export function messageOf(item: Json, remember: Remember): Message {
  const { type = "message", role } = item;
  if (type === "message") {
    const own: Role = role === "developer" || role === "system" ? "system" : role === "assistant" ? role : "user";
    const parts: readonly Part[] =
      typeof item.content === "string"
        ? [{ type: "text", content: item.content }]
        : objectsOf(item.content).map((wire) => remember(contentPart(wire), wire));
    return remember({ role: own, parts }, item);
  }
  const part = itemPart(item);
  return remember(
    { role: part.type === "tool_call_response" ? "tool" : "assistant", parts: [remember(part, item)] },
    item,
  );
}

/** The part of an item that is no message. */
export function itemPart(item: Json): Part {
  switch (item.type) {
    case "function_call":
      return { ...call(item), arguments: parsed(item.arguments) };
    case "custom_tool_call":
      return { ...call(item), arguments: stringOf(item.input) };
    case "function_call_output":
    case "custom_tool_call_output":
      return { type: "tool_call_response", id: stringOf(item.call_id), response: item.output ?? "" };
    case "reasoning": {
      const said = [...objectsOf(item.summary), ...objectsOf(item.content)].map(({ text }) => stringOf(text));
      const signature = stringOf(item.encrypted_content);
      return { type: "reasoning", content: said.join("\n"), ...(signature !== "" && { signature }) };
    }
    default:
      return otherItemPart(item);
  }
}

const call = (item: Json) => ({ type: "tool_call", id: stringOf(item.call_id), name: stringOf(item.name) }) as const;

/** The item of a part that was changed, or made by a layer; undefined of what is content of a message. */
export function writeItem(part: Part, before: Json = {}): Json | undefined {
  switch (part.type) {
    case "tool_call": {
      const { id, name, arguments: args } = part;
      const head = { ...(before.id !== undefined && { id: before.id }), call_id: id, name };
      if (before.type === "custom_tool_call") return { ...head, type: before.type, input: textOfValue(args) };
      return { ...head, type: "function_call", arguments: textOfValue(args ?? {}) };
    }
    case "tool_call_response": {
      const type = before.type === "custom_tool_call_output" ? before.type : "function_call_output";
      const parts = toolContentOf(part.response)?.map((each) => writeContent(each, false));
      const output = parts ?? (Array.isArray(part.response) ? part.response : textOfValue(part.response));
      return { type, call_id: part.id, output };
    }
    case "reasoning": {
      const summary = part.content === "" ? [] : [{ type: "summary_text", text: part.content }];
      const signed = part.signature !== undefined && { encrypted_content: part.signature };
      return { type: "reasoning", ...(before.id !== undefined && { id: before.id }), summary, ...signed };
    }
    case "server_tool_call":
      return part.serverToolCall;
    case "server_tool_call_response":
      return part.serverToolCallResponse;
    default:
      return undefined;
  }
}

/** The items of one neutral message: its content together, everything else on its own, in order. */
export function writeMessage({ message, same, before, origin }: Outgoing): readonly unknown[] {
  if (same !== undefined) return [same];
  const wire = jsonOf(before);
  const said = message.role === "assistant";
  const items: unknown[] = [];
  let content: unknown[] | undefined;
  for (const part of message.parts) {
    const item = isItem(part) ? (origin(part) ?? (isNativeItem(part) ? part.value : writeItem(part, wire))) : undefined;
    if (item !== undefined) {
      content = undefined;
      items.push(item);
      continue;
    }
    if (content === undefined) {
      content = [];
      items.push(head(message.role, wire, content));
    }
    content.push(origin(part) ?? writeContent(part, said));
  }
  const [only] = items;
  const [first] = message.parts;
  const plain = typeof wire.content === "string" && items.length === 1 && first?.type === "text";
  return plain && message.parts.length === 1 ? [{ ...jsonOf(only), content: first.content }] : items;
}

const isItem = ({ type }: Part): boolean => !["text", "blob", "file", "uri", "compaction"].includes(type);

const contents = /^(?:input_|output_|refusal)/;

/** A native part is an item of its own, if it is no content. */
const isNativeItem = (part: Part): part is Part & { type: "native" } =>
  part.type === "native" && !contents.test(stringOf(jsonOf(part.value).type));

function head(role: Role, wire: Json, content: unknown[]): Json {
  const { id, status, role: own } = wire;
  return {
    type: "message",
    ...(typeof id === "string" && { id }),
    ...(typeof status === "string" && { status }),
    role: typeof own === "string" ? own : role,
    content,
  };
}
