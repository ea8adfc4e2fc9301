import { type Message, type Part, textOf, toolContentOf } from "@suite/core";
import { type Item, isRecord } from "../framework.js";
import { jsonOf } from "../json.js";
import { inputPiece, pieceOf } from "./content.js";
import { toMessage } from "./to-neutral.js";

type Call = Extract<Item, { type: "function_call" | "function_call_result" }>;

/** The items that messages were read from. */
export class Originals {
  readonly #items = new Map<Message, Item>();
  readonly #calls = new Map<string, Call>();

  constructor(items: readonly Item[]) {
    for (const item of items) {
      this.#items.set(toMessage(item), item);
      if (item.type === "function_call" || item.type === "function_call_result") this.#calls.set(item.callId, item);
    }
  }

  /** The items of a message: the very same one where nobody changed it, else new ones, without what providers added. */
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

/** An item of one part of an answer, or of a history. What is known of its call is kept, but for what providers added. */
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
      const plain = parts === undefined && known?.type === "function_call_result" && isText(known.output);
      const output = !plain && isOutput(response) ? response : { type: "text" as const, text: jsonOf(response) };
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

/** The fields by which the SDK finds the tool of a call. */
const routeOf = (call: Call | undefined) => ({
  ...(call?.namespace !== undefined && { namespace: call.namespace }),
  ...(call?.caller !== undefined && { caller: call.caller }),
});

/** Whether a tool's output is text: it stays so, whatever the JSON in it looks like. */
const isText = (output: unknown): boolean => typeof output === "string" || (isRecord(output) && output.type === "text");

/** Images, files, and lists of them, as tools may give them. */
const isOutput = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => isRecord(each) && String(each.type).startsWith("input_"))
    : isRecord(value) && ["text", "image", "file"].includes(String(value.type));
