import type { Delta } from "@suite/core";
import type { FinishDelta } from "@suite/core/messages";
import { type Json, jsonOf, numberOf, objectsOf, otherItemPart, responsesFinish, stringOf } from "@suite/wire";

/** Reads the events of a streamed response, or the items of a whole one, as deltas. */
export class ResponseReader {
  readonly #items = new Map<number, Item>();
  #finish: FinishDelta | undefined;
  #refused = false;

  /** The finish, after the provider has reported the end of the response. */
  get finish(): FinishDelta | undefined {
    // A refusal is text that a filter returned instead of the answer. The API reports it as complete.
    return this.#refused && this.#finish?.finishReason === "stop"
      ? { ...this.#finish, finishReason: "content_filter" }
      : this.#finish;
  }

  /** Reads a whole response. */
  complete(response: Json): Delta[] {
    const deltas: Delta[] = [];
    for (const [index, item] of objectsOf(response.output).entries()) this.#end(index, item, deltas);
    this.#finish = responsesFinish(response);
    return deltas;
  }

  /** Reads an event of a stream. Skips events that repeat text which was already streamed. */
  read(event: Json): Delta[] {
    const deltas: Delta[] = [];
    const index = numberOf(event.output_index);
    switch (event.type) {
      case "response.output_item.added":
        this.#begin(index, jsonOf(event.item), deltas);
        break;
      case "response.output_item.done":
        this.#end(index, jsonOf(event.item), deltas);
        break;
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.#refused ||= event.type === "response.refusal.delta";
        this.#itemAt(index).text(numberOf(event.content_index), stringOf(event.delta), deltas);
        break;
      case "response.content_part.done":
        this.#itemAt(index).endText(numberOf(event.content_index), deltas);
        break;
      case "response.reasoning_summary_text.delta":
        this.#itemAt(index).reasoning(numberOf(event.summary_index), stringOf(event.delta), deltas);
        break;
      case "response.reasoning_text.delta":
        this.#itemAt(index).reasoning(numberOf(event.content_index), stringOf(event.delta), deltas);
        break;
      case "response.function_call_arguments.delta":
        this.#itemAt(index).json(stringOf(event.delta), deltas);
        break;
      case "response.completed":
      case "response.incomplete":
        this.#finish = responsesFinish(jsonOf(event.response));
        break;
      default:
    }
    return deltas;
  }

  #itemAt(index: number): Item {
    let item = this.#items.get(index);
    if (item === undefined) {
      item = new Item(index);
      this.#items.set(index, item);
    }
    return item;
  }

  #begin(index: number, wire: Json, deltas: Delta[]): void {
    const item = this.#itemAt(index);
    if (wire.type === "message") item.phase = wire.phase;
    if (wire.type === "function_call") item.call(wire, deltas);
  }

  /** Reads the end of an item, which repeats the whole item. Emits the content that was not streamed. */
  #end(index: number, wire: Json, deltas: Delta[]): void {
    this.#begin(index, wire, deltas);
    const item = this.#itemAt(index);
    switch (wire.type) {
      case "message":
        for (const [at, content] of objectsOf(wire.content).entries()) {
          this.#refused ||= content.type === "refusal";
          if (!item.hasText(at)) item.text(at, stringOf(content.text ?? content.refusal), deltas);
          item.endText(at, deltas);
        }
        break;
      case "reasoning":
        item.endReasoning(wire, deltas);
        break;
      case "function_call":
        if (!item.hasJson) item.json(stringOf(wire.arguments), deltas);
        break;
      default:
        deltas.push({ type: "part", at: `i${index}`, part: otherItemPart(wire) });
    }
    this.#items.delete(index);
  }
}

/** An item of the output while it streams. */
class Item {
  readonly #index: number;
  readonly #texts = new Map<number, "open" | "over">();
  #summary: number | undefined;
  #hasCall = false;
  /** Whether the message is a comment during the work or the final answer. */
  phase: unknown;
  hasJson = false;

  constructor(index: number) {
    this.#index = index;
  }

  hasText(content: number): boolean {
    return this.#texts.has(content);
  }

  text(content: number, text: string, deltas: Delta[]): void {
    if (text === "") return;
    const native = this.phase === undefined || this.phase === null ? undefined : { phase: this.phase };
    const first = !this.#texts.has(content);
    this.#texts.set(content, "open");
    deltas.push({
      type: "part",
      at: `t${this.#index}.${content}`,
      part: { type: "text", content: text, ...(first && native !== undefined && { native }) },
    });
  }

  endText(content: number, deltas: Delta[]): void {
    if (this.#texts.get(content) !== "open") return;
    this.#texts.set(content, "over");
    deltas.push({ type: "part_end", at: `t${this.#index}.${content}` });
  }

  /** Adds a piece of reasoning, or of its summary. Another number begins a new paragraph. */
  reasoning(number: number, text: string, deltas: Delta[]): void {
    if (text === "") return;
    const content = this.#summary === undefined || this.#summary === number ? text : `\n\n${text}`;
    this.#summary = number;
    deltas.push({ type: "part", at: `r${this.#index}`, part: { type: "reasoning", content } });
  }

  endReasoning(wire: Json, deltas: Delta[]): void {
    if (this.#summary === undefined) {
      const summary = objectsOf(wire.summary);
      const summaries = summary.length > 0 ? summary : objectsOf(wire.content);
      for (const [number, { text }] of summaries.entries()) this.reasoning(number, stringOf(text), deltas);
    }
    const at = `r${this.#index}`;
    const signature = stringOf(wire.encrypted_content);
    // Marks the provider of the reasoning, because another provider would refuse it.
    const native = { type: "reasoning" };
    if (signature !== "")
      deltas.push({ type: "part", at, part: { type: "reasoning", content: "", signature, native } });
    if (signature !== "" || this.#summary !== undefined) deltas.push({ type: "part_end", at });
  }

  call({ call_id, id, name }: Json, deltas: Delta[]): void {
    if (this.#hasCall) return;
    this.#hasCall = true;
    const part = {
      type: "tool_call",
      id: stringOf(call_id) || stringOf(id),
      name: stringOf(name),
      arguments: {},
    } as const;
    deltas.push({ type: "part", at: `c${this.#index}`, part });
  }

  json(json: string, deltas: Delta[]): void {
    if (json === "") return;
    this.hasJson = true;
    deltas.push({ type: "arguments", at: `c${this.#index}`, json });
  }
}
