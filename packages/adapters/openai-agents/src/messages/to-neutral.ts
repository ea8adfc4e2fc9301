import type { Message, Part } from "@suite/core";
import { rememberConversion } from "@suite/core/adapter";
import { isRecord } from "@suite/kit";
import type { Item } from "../framework.js";
import { parsed } from "../json.js";
import { contentPart } from "./content.js";

/** Converts an item to a message. An unchanged item that was converted before returns the same message. */
export const toMessage: (item: Item) => Message = rememberConversion(read, (item) => [
  ...Object.values(item),
  ...("content" in item && Array.isArray(item.content) ? item.content : []),
]);

/** Converts the input of an agent or a model to messages. */
export const toMessages = (input: string | readonly Item[]): readonly Message[] =>
  typeof input === "string" ? [{ role: "user", parts: [{ type: "text", content: input }] }] : input.map(toMessage);

function read(item: Item): Message {
  if ("role" in item) {
    const { content, providerData } = item;
    const parts: readonly Part[] =
      typeof content === "string" ? [{ type: "text", content }] : content.map((piece) => contentPart(piece));
    return { role: item.role, parts, ...(providerData !== undefined && { native: providerData }) };
  }
  return { role: item.type === "function_call_result" ? "tool" : "assistant", parts: [itemPart(item)] };
}

/** Converts an item that is not a message to a part. */
export function itemPart(item: Item): Part {
  const native = item.providerData === undefined ? {} : { native: item };
  switch (item.type) {
    case "function_call":
      return { type: "tool_call", id: item.callId, name: item.name, arguments: parsed(item.arguments), ...native };
    case "function_call_result":
      return { type: "tool_call_response", id: item.callId, response: responseOf(item.output), ...native };
    case "reasoning":
      return reasoningPart(item);
    case "hosted_tool_call": {
      const serverToolCall = { type: item.name, arguments: item.arguments, output: item.output };
      return {
        type: "server_tool_call",
        ...(item.id !== undefined && { id: item.id }),
        name: item.name,
        serverToolCall,
        ...native,
      };
    }
    default:
      return { type: "native", value: item };
  }
}

/** Returns the response of a tool, without the SDK's envelope for text. */
function responseOf(output: unknown): unknown {
  if (isRecord(output) && output.type === "text" && typeof output.text === "string") return parsedValue(output.text);
  return output;
}

/** Parses values of tools, which the SDK sends to models as JSON strings, so that guards see their fields. */
const parsedValue = (text: string): unknown => (/^\s*[[{]/.test(text) ? parsed(text) : text);

function reasoningPart(item: Extract<Item, { type: "reasoning" }>): Part {
  const { encrypted_content, encryptedContent } = item.providerData ?? {};
  const signature: unknown = encrypted_content ?? encryptedContent;
  const summary = item.content.map(({ text }) => text);
  const raw = (item.rawContent ?? []).map(({ text }) => text);
  return {
    type: "reasoning",
    content: [...summary, ...raw].join("\n"),
    ...(typeof signature === "string" && { signature }),
    native: item,
  };
}
