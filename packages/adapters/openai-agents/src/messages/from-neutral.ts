import { type Message, type Part, textOf } from "@suite/core";
import { toolContentOf } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { Item } from "../framework.js";
import { jsonOf } from "../json.js";
import { inputPiece, pieceOf } from "./content.js";
import { toMessage } from "./to-neutral.js";

type Call = Extract<Item, { type: "function_call" | "function_call_result" }>;

/** The original items of messages. */
export class Originals {
  readonly #items = new Map<Message, Item>();
  readonly #calls = new Map<string, Call>();

  constructor(items: readonly Item[]) {
    for (const item of items) {
      this.#items.set(toMessage(item), item);
      if (item.type === "function_call" || item.type === "function_call_result") this.#calls.set(item.callId, item);
    }
  }

  /**
   * Returns the items of a message: the original if the message is unchanged, otherwise new ones without provider data.
   */
  itemsOf(message: Message): readonly Item[] {
    const known = this.#items.get(message);
    if (known !== undefined) return [known];
    const { role } = message;
    if (role === "system") return [{ role, content: textOf(message) }];
    if (role === "user")
      return [{ role, content: message.parts.map((part) => pieceOf(part) ?? inputPiece(part)) } as Item];
    return message.parts.map((part) => newItem(part, this.#calls));
  }
}

/** Creates an item for one part of an answer or a history. Known fields of its call are kept, without provider data. */
export function newItem(part: Part, calls: ReadonlyMap<string, Call> = new Map()): Item {
  switch (part.type) {
    case "text":
      return assistant([pieceOf(part) ?? { type: "output_text", text: part.content }]);
    case "tool_call": {
      const { id: callId, name } = part;
      return { type: "function_call", callId, name, arguments: jsonOf(part.arguments), ...routeOf(calls.get(callId)) };
    }
    case "tool_call_response": {
      const { id: callId } = part;
      const parts = toolContentOf(part.response);
      const response = parts === undefined ? part.response : parts.length === 0 ? "" : parts.map(inputPiece);
      const known = calls.get(callId);
      const isTextResult = parts === undefined && known?.type === "function_call_result" && isText(known.output);
      const output = !isTextResult && isOutput(response) ? response : { type: "text" as const, text: jsonOf(response) };
      const result = { type: "function_call_result" as const, callId, name: known?.name ?? callId, output };
      return { ...result, status: "completed", ...routeOf(known) } as Item;
    }
    case "reasoning":
      return isRecord(part.native) && part.signature !== undefined
        ? (part.native as unknown as Item)
        : { type: "reasoning", content: [{ type: "input_text", text: part.content }] };
    case "native":
      return part.value as Item;
    default:
      return assistant([{ type: "output_text", text: JSON.stringify(part) }]);
  }
}

const assistant = (content: readonly object[]): Item =>
  ({ type: "message", role: "assistant", status: "completed", content }) as Item;

/** Returns the fields that the SDK uses to find the tool of a call. */
const routeOf = (call: Call | undefined) => ({
  ...(call?.namespace !== undefined && { namespace: call.namespace }),
  ...(call?.caller !== undefined && { caller: call.caller }),
});

/** True if a tool's output is text. It remains text, even if it looks like JSON. */
const isText = (output: unknown): boolean => typeof output === "string" || (isRecord(output) && output.type === "text");

/** True for images, files, and lists of them, as tools may return them. */
const isOutput = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => isRecord(each) && String(each.type).startsWith("input_"))
    : isRecord(value) && ["text", "image", "file"].includes(String(value.type));
