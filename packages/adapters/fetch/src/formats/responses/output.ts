import type { Part } from "@suite/core";
import type { Draft, Edit } from "@suite/core/editor";
import { inForm, isText, type Json, objectsOf, parsed, stringOf, textOfValue, unknownFields } from "../../json.js";
import { clearCopies, replaceFields } from "../../neutral/edits.js";
import { keepSigned } from "../../neutral/signed.js";
import { itemShapes } from "./items.js";

const always = (): boolean => true;
const ofItem = { id: always, type: always, status: always, content: Array.isArray };
const ofMessage = inForm({ ...ofItem, role: always, phase: always });
const ofReasoning = inForm({ ...ofItem, summary: Array.isArray, encrypted_content: always });
const ofContent = inForm({ type: always, text: isText, refusal: isText, logprobs: always, annotations: always });

/** A value that the provider may repeat: its JSON, and the part that the layers returned for it. */
interface SeenValue {
  json: string;
  changed: boolean;
  other: Part | undefined;
}

/**
 * The items of one response. The provider repeats them: at the beginning, at the end of each, and in the whole
 * response. Repeated values are shown to the layers once.
 */
export class Output {
  /** The places of the items that a layer removed. */
  readonly removed = new Set<string>();
  readonly #seen = new Map<string, SeenValue>();

  /** Registers the output of a whole response. */
  read(edit: Edit, response: Draft): void {
    const items = objectsOf(response.output) as Draft[];
    for (const [index, item] of items.entries()) this.item(edit, item, `${index}`);
    if (items.length === 0) return;
    edit.whenSent(() => {
      const remaining = items.filter((_, index) => !this.removed.has(`${index}`));
      if (remaining.length < items.length) response.output = remaining;
      return remaining.length < items.length;
    });
  }

  /** Registers an item. The names of its places begin with its index. */
  item(edit: Edit, item: Draft, index: string): void {
    switch (item.type) {
      case "message":
        for (const [number, content] of (objectsOf(item.content) as Draft[]).entries()) {
          this.content(edit, content, `${index}/t${number}`);
        }
        this.#rest(edit, `${index}/message`, item, ofMessage);
        return;
      case "reasoning":
        for (const [field, letter] of reasoningFields) {
          for (const [number, entry] of (objectsOf(item[field]) as Draft[]).entries()) {
            edit.copy(`${index}/${letter}${number}`, "reasoning", entry, "text");
          }
        }
        this.#signed(edit, item, index);
        this.#rest(edit, `${index}/reasoning`, item, ofReasoning);
        return;
      case "function_call":
      case "custom_tool_call":
        this.#call(edit, item, index);
        return;
      default:
        this.#once(edit, `${index}/i`, itemShapes.read(item), index, (part) => {
          const other = itemShapes.write(part, item);
          replaceFields(item, other);
        });
    }
  }

  /** Registers a content part of a message. */
  content(edit: Edit, content: Draft, at: string): void {
    const kind = content.type === "reasoning_text" || content.type === "summary_text" ? "reasoning" : "text";
    edit.copy(at, kind, content, content.type === "refusal" ? "refusal" : "text");
    this.#rest(edit, `${at}/rest`, content, ofContent);
    this.#annotations(edit, content, at);
  }

  /** Shows annotations once. They quote the text, so they are cleared if it has changed. */
  #annotations(edit: Edit, content: Draft, at: string): void {
    const { annotations } = content;
    if (Array.isArray(annotations) && annotations.length > 0) {
      this.#once(edit, `${at}/annotations`, { type: "native", value: annotations }, undefined, (part) => {
        content.annotations = part.type === "native" ? part.value : [];
      });
    }
    clearCopies(edit, at, content, "annotations", []);
    clearCopies(edit, at, content, "logprobs", []);
  }

  /** Stores reasoning, because its encrypted form is sent back with it. */
  #signed(edit: Edit, item: Draft, index: string): void {
    const { encrypted_content: signature } = item;
    if (!signature) return;
    const fields = (): Json => {
      const { summary, content } = item;
      return structuredClone({ ...(summary !== undefined && { summary }), ...(content !== undefined && { content }) });
    };
    const before = fields();
    edit.whenSent(() => {
      if (edit.differsIn(`${index}/`)) keepSigned(signature, before, fields());
      return false;
    });
  }

  #call(edit: Edit, item: Draft, index: string): void {
    const { call_id: id, name } = item;
    const head: Part = { type: "tool_call", id: stringOf(id), name: stringOf(name), arguments: {} };
    this.#once(edit, `${index}/c`, head, index, (part) => {
      if (part.type === "tool_call") Object.assign(item, { call_id: part.id, name: part.name });
    });
    edit.copy(`${index}/c`, "arguments", item, item.type === "function_call" ? "arguments" : "input");
  }

  #rest(edit: Edit, at: string, object: Draft, known: { has(name: string, value: unknown): boolean }): void {
    const extra = unknownFields(object, known);
    if (extra === undefined) return;
    this.#once(edit, at, { type: "native", value: extra }, undefined, (part) => {
      for (const key of Object.keys(extra)) delete object[key];
      if (part.type === "native") Object.assign(object, part.value);
    });
  }

  /** Shows a value to the layers. For a repeated value, writes the result of the layers. */
  #once(edit: Edit, at: string, part: Part, item: string | undefined, write: (part: Part) => void): void {
    const json = JSON.stringify(part);
    const known = this.#seen.get(at);
    if (known?.json === json) {
      edit.whenSent(() => {
        if (known.changed) write(known.other ?? { type: "native", value: {} });
        return known.changed;
      });
      return;
    }
    const seen: SeenValue = { json, changed: false, other: part };
    this.#seen.set(at, seen);
    const settle = (other: Part | undefined): void => {
      Object.assign(seen, { changed: true, other });
      if (other === undefined && item !== undefined) this.removed.add(item);
      else write(other ?? { type: "native", value: {} });
    };
    if (item === undefined && part.type === "native") {
      edit.value(at, part.value, (value) => settle(value === undefined ? undefined : { type: "native", value }));
    } else if (part.type === "tool_call") edit.part(at, part, settle);
    else edit.wholePart(at, part, settle);
  }
}

/** The lists of a reasoning item, and the letters of their places. */
const reasoningFields = [
  ["summary", "s"],
  ["content", "r"],
] as const;

/** Returns the item of a part that a layer made. */
export function newItem(part: Part, number: number): Json {
  const item = itemShapes.write(part);
  if (item !== undefined) return { id: `item_${number}`, status: "completed", ...item };
  const text = part.type === "text" ? part.content : textOfValue(parsed(part));
  return {
    id: `msg_${number}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}
