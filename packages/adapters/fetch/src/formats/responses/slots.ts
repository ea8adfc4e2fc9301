import type { Part } from "@suite/core";
import { inForm, isJson, isText, type Json, objectsOf, parsed, stringOf, textOfValue } from "../../json.js";
import { extraSlot } from "../../neutral/extra-slot.js";
import type { Draft, Slot } from "../../neutral/format.js";
import { itemPart, writeItem } from "./items.js";

const always = (): boolean => true;
const ofItem = { id: always, type: always, status: always, content: Array.isArray };
const ofMessage = inForm({ ...ofItem, role: always, phase: always });
const ofReasoning = inForm({ ...ofItem, summary: Array.isArray, encrypted_content: always });

/** The places of an item of the output, which may be written over. What is taken out is taken out of `output`. */
export function* itemSlots(item: Draft, index: number, remove: () => void): Generator<Slot> {
  switch (item.type) {
    case "message":
      for (const [at, content] of objectsOf(item.content).entries())
        yield* contentSlots(content as Draft, `t${index}.${at}`);
      yield* extraSlot(`t${index}/extra`, item, ofMessage);
      return;
    case "reasoning":
      yield* reasoningSlots(item, index);
      yield* extraSlot(`r${index}/extra`, item, ofReasoning);
      return;
    case "function_call":
    case "custom_tool_call": {
      const field = item.type === "function_call" ? "arguments" : "input";
      yield {
        at: `c${index}`,
        part: itemPart(item),
        write(part) {
          if (part?.type !== "tool_call") remove();
          else Object.assign(item, { name: part.name, call_id: part.id, [field]: textOfValue(part.arguments ?? {}) });
        },
      };
      return;
    }
    default:
      yield {
        at: `i${index}`,
        part: itemPart(item),
        write(part) {
          const other = part?.type === "native" ? part.value : part && writeItem(part);
          if (!isJson(other)) return remove();
          for (const key of Object.keys(item)) delete item[key];
          Object.assign(item, other);
        },
      };
  }
}

const known = inForm({ type: always, text: isText, refusal: isText, logprobs: always });

/** The texts of a content. Writing one clears the probabilities of its tokens and the places in it, which tell the text that was there. */
export function* contentSlots(content: Draft, at: string): Generator<Slot> {
  const field = content.type === "refusal" ? "refusal" : "text";
  if (typeof content[field] === "string") {
    yield {
      at,
      part: { type: "text", content: content[field] },
      write(part) {
        content[field] = part?.type === "text" ? part.content : "";
        if ("logprobs" in content) content.logprobs = [];
        if ("annotations" in content) content.annotations = [];
      },
    };
  }
  yield* extraSlot(`${at}/extra`, content, known);
}

/** The texts of reasoning. What is encrypted is passed on as it came, or not at all where what can be read of it was changed. */
function* reasoningSlots(item: Draft, index: number): Generator<Slot> {
  for (const [field, letter] of [
    ["summary", "s"],
    ["content", "r"],
  ] as const) {
    for (const [at, said] of objectsOf(item[field]).entries()) {
      yield {
        at: `${letter}${index}.${at}`,
        part: { type: "reasoning", content: stringOf(said.text) },
        write(part) {
          (said as Draft).text = part?.type === "reasoning" ? part.content : "";
          delete item.encrypted_content;
        },
      };
    }
  }
}

/** An item that a layer made. */
export function newItem(part: Part, number: number): Json {
  const item = part.type === "native" ? part.value : writeItem(part);
  if (isJson(item)) return { id: `item_${number}`, status: "completed", ...item };
  const text = part.type === "text" ? part.content : textOfValue(parsed(part));
  return {
    id: `msg_${number}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}
