import type { Part } from "@suite/core";
import type { Draft, Edit, Place, PlaceKind } from "@suite/core/editor";
import type { FinishDelta } from "@suite/core/messages";
import { responsesFinish } from "@suite/wire";
import { refused } from "../../errors.js";
import { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "../../json.js";
import { AnswerEvents } from "../../neutral/answer-events.js";
import { clearCopies } from "../../neutral/edits.js";
import { itemEvents, readResponse } from "./answer.js";
import { newItem, Output } from "./output.js";

/** The kind and the place letter of each string that the items repeat, by the name of its events. */
const texts: Readonly<Record<string, readonly [kind: PlaceKind, letter: string]>> = {
  __proto__: null as never,
  "response.output_text": ["text", "t"],
  "response.refusal": ["text", "t"],
  "response.reasoning_text": ["reasoning", "r"],
  "response.reasoning_summary_text": ["reasoning", "s"],
  "response.function_call_arguments": ["arguments", "c"],
  "response.custom_tool_call_input": ["arguments", "c"],
};
/** The fields that contain the whole string in the event that ends it. */
const completeTextFields = ["text", "refusal", "arguments", "input", "code", "transcript"];
/** Events with a piece of base64 data. */
const bytes: ReadonlySet<string> = new Set(["response.audio.delta", "response.output_audio.delta"]);

/** The fields that identify the subject of an event. They contain no text of the model. */
const ofEvent: ReadonlySet<string> = new Set([
  ...["type", "item_id", "output_index", "content_index", "summary_index", "annotation_index", "sequence_number"],
  ...["partial_image_index", "obfuscation", "logprobs", "delta", "item", "part", "response", "name"],
]);

/** The events of a streamed response. */
export class ResponseStream extends AnswerEvents {
  readonly joinsAdded = false;
  override readonly number = "sequence_number";
  #response: Json = {};
  #items = 0;
  readonly #output = new Output();
  readonly #added: Json[] = [];

  get finish(): FinishDelta {
    return responsesFinish(this.#response);
  }

  protected readBody(edit: Edit): void {
    const { body } = edit;
    const type = stringOf(body.type);
    if (type === "error" || type === "response.failed") throw refused(200, body);
    if (isJson(body.response)) {
      this.#readResponse(edit, type, body.response as Draft);
      return;
    }
    if (typeof body.output_index === "number") this.#items = Math.max(this.#items, body.output_index + 1);
    const index = `${numberOf(body.output_index)}`;
    const [, base = "", phase = ""] = /^(.{1,100})\.([a-z_]{1,20})$/.exec(type) ?? [];
    if (isJson(body.item)) this.#output.item(edit, body.item as Draft, index);
    else if (isJson(body.part))
      this.#output.content(edit, body.part as Draft, partIdOf(body, letterOf(base, body.part)));
    else this.#piece(edit, base, phase);
    edit.rest(`${type}/${index}`, body, {
      has: (name, value) => ofEvent.has(name) || (completeTextFields.includes(name) && this.#isText(edit, base, value)),
    });
    if (base === "response.output_item" && phase === "done") edit.endAll(`${index}/`);
    edit.whenSent(() => this.#shift(edit, index));
  }

  override nameOf({ type }: Json): string | undefined {
    return stringOf(type) || undefined;
  }

  extra({ at, kind, body }: Place, text: string): Draft {
    const { type, item_id, output_index, content_index, summary_index, logprobs } = body;
    const [, letter = ""] = at.split("/");
    const base = Object.keys(texts).find(
      (name) => texts[name]?.[0] === kind && letter.startsWith(texts[name]?.[1] ?? "-"),
    );
    return {
      type: stringOf(type).endsWith(".delta") ? type : `${base}.delta`,
      item_id: item_id ?? jsonOf(body.item).id,
      output_index,
      ...(content_index !== undefined && { content_index }),
      ...(summary_index !== undefined && { summary_index }),
      delta: text,
      ...(logprobs !== undefined && { logprobs: [] }),
    };
  }

  added(part: Part): readonly Draft[] {
    const index = this.#items++ - this.#output.removed.size;
    const item = newItem(part, index);
    this.#added.push(item);
    return itemEvents(item, index).map((body) => ({ ...body, sequence_number: 0 }));
  }

  #readResponse(edit: Edit, type: string, response: Draft): void {
    this.#response = response;
    if (type !== "response.completed" && type !== "response.incomplete") {
      this.#output.read(edit, response);
      return;
    }
    edit.terminal = true;
    readResponse(edit, response, this.#output);
    edit.endAll();
    edit.whenSent(() => {
      if (this.#added.length > 0) response.output = [...objectsOf(response.output), ...this.#added];
      return this.#added.length > 0;
    });
  }

  /** Registers the next piece of a string, or the whole string at its end. */
  #piece(edit: Edit, base: string, phase: string): void {
    const { body } = edit;
    const at = this.#at(body, base);
    const [kind] = texts[base] ?? ["arguments"];
    if (phase === "delta" && !bytes.has(`${base}.delta`)) edit.text(at, kind, body, "delta");
    else if (phase === "done") {
      for (const field of completeTextFields) edit.copy(at, kind, body, field);
      edit.end(at);
    }
    clearCopies(edit, at, body, "logprobs", []);
  }

  /** Returns the place of an event's string. If no item repeats it, the place has the name of its events. */
  #at(body: Json, base: string): string {
    const letter = texts[base]?.[1];
    return letter === undefined ? `${numberOf(body.output_index)}/${base}` : partIdOf(body, letter);
  }

  #isText(edit: Edit, base: string, value: unknown): boolean {
    return typeof value === "string" && edit.places.has(this.#at(edit.body, base));
  }

  /** Drops the events of an item that a layer removed, and shifts the index of later ones. */
  #shift(edit: Edit, index: string): boolean {
    const { removed } = this.#output;
    if (removed.size === 0) return false;
    edit.dropped = removed.has(index);
    const before = [...removed].filter((other) => Number(other) < Number(index)).length;
    if (before > 0) edit.body.output_index = Number(index) - before;
    return before > 0;
  }
}

/** Returns the letter for the place of a part, which belongs to a message or to reasoning. */
function letterOf(base: string, { type }: Json): string {
  if (base === "response.reasoning_summary_part") return "s";
  return type === "reasoning_text" ? "r" : "t";
}

function partIdOf({ output_index, content_index, summary_index }: Json, letter: string): string {
  const index = numberOf(output_index);
  return letter === "c" ? `${index}/c` : `${index}/${letter}${content_index ?? summary_index ?? 0}`;
}
