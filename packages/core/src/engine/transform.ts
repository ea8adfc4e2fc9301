import { checkOptions, invalidOption } from "../checked.js";
import type { Invocation } from "../contract/call.js";
import type { Emit } from "../contract/outcome.js";
import type { ArgumentsDelta, Delta, PartDelta } from "../messages/delta.js";
import type { ReasoningPart, TextPart, ToolCallPart } from "../messages/message.js";
import { callable } from "../options.js";
import { parsed } from "./codec.js";
import { type HeldText, PartOrder } from "./part-order.js";

/** The changes of `transform`. Each member is optional, and parts without one stream through unchanged. */
export interface Changes {
  /** Changes the text of a part. A streamed text is held back until it is complete. Not called for an empty one. */
  readonly text?: (text: string) => string;
  /**
   * Changes each piece of text as it arrives, instead of `text`. Nothing is held back. The pieces of a stream may begin
   * and end anywhere, and text that is not streamed is one piece.
   */
  readonly piece?: (piece: string) => string;
  /** Changes the reasoning of a part like `text`. Changed reasoning loses its signature. */
  readonly reasoning?: (text: string) => string;
  /** Changes the arguments of a tool call: parsed JSON, or a string if the model did not write valid JSON. */
  readonly arguments?: (value: unknown, call: Pick<ToolCallPart, "id" | "name">) => unknown;
}

const checks = { text: callable, piece: callable, reasoning: callable, arguments: callable };

/**
 * Changes the answer of a layer, streamed or not. Call it after `callNext()`. Later parts and events never overtake text
 * that is held back. An error of a function fails the answer.
 *
 * @example
 * ```ts
 * await callNext();
 * transform(invocation, { text: (text) => text.replaceAll("ACME", "our company") });
 * ```
 * @throws CoreError `ERR_INVALID_OPTION`
 */
export function transform(invocation: Pick<Invocation<"model">, "pipe">, changes: Changes): void {
  const { text, piece, reasoning, arguments: args } = checkOptions("transform", changes, checks);
  if (text !== undefined && piece !== undefined) {
    throw invalidOption("transform() takes `text` or `piece`, not both.");
  }
  /** The calls whose arguments may still stream. */
  const calls = new Map<string, HeldArguments>();
  const order = new PartOrder<HeldPart | HeldArguments>((delta, slot, emit) => {
    const { type } = delta;
    if (type === "arguments") {
      const call = calls.get(delta.at);
      if (call === undefined) emit(delta);
      else call.push(delta);
      return;
    }
    if (type !== "part") return emit(delta);
    const { part } = delta;
    const change = part.type === "text" ? text : part.type === "reasoning" ? reasoning : undefined;
    if (change !== undefined) (slot.text(part.type, () => new HeldPart(change)) as HeldPart).push(delta as Piece);
    else if (part.type === "text" && piece !== undefined) new HeldPart(piece).push(delta as Piece).end(emit);
    else if (part.type !== "tool_call" || args === undefined) emit(delta);
    else if (isEmpty(part.arguments)) {
      emit(delta);
      const { at } = delta;
      const call = new HeldArguments(
        at,
        (value) => args(value, part),
        () => calls.delete(at),
      );
      calls.set(at, slot.text("arguments", () => call) as HeldArguments);
    } else emit(withArguments(delta, part, args(part.arguments, part)));
  });
  invocation.pipe({ chunk: (delta, emit) => order.accept(delta, emit), flush: (emit) => order.end(emit) });
}

/** True for the arguments of a call that has none, or whose arguments stream after it. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

function withArguments(delta: PartDelta, part: ToolCallPart, value: unknown): PartDelta {
  if (value === part.arguments) return delta;
  const { native: _, ...rest } = part; // contains the original arguments
  return { ...delta, part: { ...rest, arguments: value } };
}

type Piece = PartDelta & { readonly part: TextPart | ReasoningPart };

/** The pieces of text that are held back until all of them have arrived. */
class HeldPart implements HeldText {
  #pieces: Piece[] = [];
  #text = "";

  constructor(readonly change: (text: string) => string) {}

  get undecided(): number {
    return this.#text.length;
  }

  push(piece: Piece): this {
    this.#pieces.push(piece);
    this.#text += piece.part.content;
    return this;
  }

  end(emit: Emit<Delta>): void {
    const pieces = this.#pieces;
    const text = this.#text;
    const [first] = pieces;
    this.#pieces = [];
    this.#text = "";
    if (first === undefined) return;
    const changed = text === "" ? text : this.change(text);
    if (typeof changed !== "string") {
      throw invalidOption("A function of transform() must return a string, not a promise or another value.");
    }
    if (changed === text) for (const piece of pieces) emit(piece);
    // Without `native` and `signature`, which belong to the original text.
    else emit({ ...first, part: { type: first.part.type, content: changed } });
  }
}

/** The JSON text of a call's arguments that is held back until all of it has arrived. */
class HeldArguments implements HeldText {
  #pieces: ArgumentsDelta[] = [];
  #json = "";

  constructor(
    readonly at: string,
    readonly change: (value: unknown) => unknown,
    readonly over: () => void,
  ) {}

  get undecided(): number {
    return this.#json.length;
  }

  push(piece: ArgumentsDelta): void {
    this.#pieces.push(piece);
    this.#json += piece.json;
  }

  end(emit: Emit<Delta>): void {
    this.over();
    const value = parsed(this.#json);
    const changed = this.change(value);
    if (changed === value) for (const piece of this.#pieces) emit(piece);
    else
      emit({ type: "arguments", at: this.at, json: typeof changed === "string" ? changed : JSON.stringify(changed) });
  }
}
