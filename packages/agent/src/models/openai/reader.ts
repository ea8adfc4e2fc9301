import type { Delta, FinishDelta, FinishReason } from "@suite/core";
import { chatFinishReason, chatUsage } from "@suite/wire";
import type OpenAI from "openai";

/** The fields that a chunk of a stream and a whole completion have in common; of compatible servers any of it may be missing. */
export interface Completion {
  readonly id?: string;
  readonly model?: string;
  readonly choices?: readonly Choice[];
  readonly usage?: OpenAI.CompletionUsage | null | undefined;
}

interface Choice {
  readonly index?: number;
  readonly finish_reason?: string | null;
  readonly delta?: Piece;
  readonly message?: Piece;
}

/** A piece of the answer, or the answer. `reasoning_content` or `reasoning` is where compatible servers put thoughts. */
interface Piece {
  readonly content?: unknown;
  readonly refusal?: string | null;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly object[] | null;
}

/** Reads an answer, streamed or whole. Of several choices only the first counts. */
export class CompletionReader {
  readonly #calls = new ToolCallReader();
  #id: string | undefined;
  #model: string | undefined;
  #usage: FinishDelta["usage"];
  #reason: FinishReason | undefined;
  #refused = false;
  /** The places of parts of text or reasoning, as long as they may go on. */
  readonly #open = new Set<string>();
  #thoughts = 0;

  /** Whether the provider has said that the answer is complete. */
  get finished(): boolean {
    return this.#reason !== undefined;
  }

  read(completion: Completion): Delta[] {
    this.#id ??= completion.id || undefined;
    this.#model ??= completion.model || undefined;
    if (completion.usage) this.#usage = chatUsage(completion.usage);
    const choice = completion.choices?.find(({ index = 0 }) => index === 0);
    if (choice === undefined) return [];
    if (choice.finish_reason) this.#reason = chatFinishReason(choice.finish_reason);
    return this.#deltas(choice.delta ?? choice.message ?? {});
  }

  /** Ends the answer, and with it what is open: text may go on after a call, since a client joins it. */
  end(): Delta[] {
    return [...this.#ends([...this.#open]), this.finish()];
  }

  /** A refusal is text that a filter put in place of the answer: providers call that a `stop`. */
  finish(): FinishDelta {
    const reason = this.#refused && this.#reason === "stop" ? "content_filter" : this.#reason;
    return {
      type: "finish",
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(reason !== undefined && { finishReason: reason }),
      response: {
        ...(this.#id !== undefined && { id: this.#id }),
        ...(this.#model !== undefined && { model: this.#model }),
      },
    };
  }

  #deltas({ content, refusal, reasoning, reasoning_content = reasoning, tool_calls }: Piece): Delta[] {
    const deltas: Delta[] = [];
    if (typeof reasoning_content === "string" && reasoning_content !== "") {
      const at = `r${this.#thoughts}`;
      this.#open.add(at);
      deltas.push({ type: "part", at, part: { type: "reasoning", content: reasoning_content } });
    }
    const hasText = typeof content === "string" && content !== "";
    if (hasText || refusal || tool_calls?.length) deltas.push(...this.#endThought());
    if (hasText) deltas.push(this.#text("t0", content));
    if (refusal) {
      this.#refused = true;
      deltas.push(this.#text("t1", refusal));
    }
    for (const [position, call] of (tool_calls ?? []).entries()) this.#calls.read(call, position, this.#id, deltas);
    return deltas;
  }

  #text(at: string, content: string): Delta {
    this.#open.add(at);
    return { type: "part", at, part: { type: "text", content } };
  }

  /** Reasoning is over where the answer begins: what a model thinks after that is another thought. */
  #endThought(): Delta[] {
    const at = `r${this.#thoughts}`;
    if (!this.#open.has(at)) return [];
    this.#thoughts++;
    return this.#ends([at]);
  }

  #ends(places: readonly string[]): Delta[] {
    for (const at of places) this.#open.delete(at);
    return places.map((at) => ({ type: "part_end", at }));
  }
}

/** A piece of a tool call, or a whole one, which has no index. */
interface CallPiece {
  readonly index?: number;
  readonly id?: string;
  /** `arguments` is JSON text; some servers send the object itself. */
  readonly function?: { readonly name?: string; readonly arguments?: unknown };
}

interface OpenCall {
  readonly at: string;
  readonly id: string;
  name: string;
}

/**
 * Tells parallel calls apart: by index, and by id where a server gives all calls the same index. A call without an id
 * is given one, since its answer must name it.
 */
class ToolCallReader {
  readonly #open = new Map<number, OpenCall>();
  #count = 0;

  read(piece: CallPiece, position: number, response: string | undefined, deltas: Delta[]): void {
    const index = piece.index ?? position;
    const { name, arguments: args = "" } = piece.function ?? {};
    let call = this.#open.get(index);
    if (call === undefined || (piece.id && name && piece.id !== call.id)) {
      const number = this.#count++;
      call = { at: `c${number}`, id: piece.id || `${response ?? "call"}-${number}`, name: name ?? "" };
      this.#open.set(index, call);
      deltas.push(begin(call));
    } else if (name && name !== call.name) {
      call.name = name;
      deltas.push(begin(call));
    }
    const json = typeof args === "string" ? args : JSON.stringify(args);
    if (json !== "") deltas.push({ type: "arguments", at: call.at, json });
  }
}

const begin = ({ at, id, name }: OpenCall): Delta => ({
  type: "part",
  at,
  part: { type: "tool_call", id, name, arguments: {} },
});
