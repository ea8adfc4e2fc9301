import type { Delta } from "@suite/core";
import { isJson, type Json } from "@suite/wire";

/** A piece of a tool call, or a whole call, which has no index. */
export interface CallPiece {
  readonly index?: number;
  readonly id?: string;
  /** `arguments` is JSON text. Some servers send the object itself, others null. */
  readonly function?: { readonly name?: string; readonly arguments?: unknown } | null;
  /** Contains Gemini's thought signature, which its next request must contain. */
  readonly extra_content?: unknown;
}

interface OpenCall {
  readonly at: string;
  readonly id: string;
  name: string;
  native?: Json;
}

/**
 * Separates parallel calls: by index, and by id if a server sends the same index for all calls. A call without an id
 * gets one, since its response must name it.
 */
export class ToolCallReader {
  readonly #signer: string;
  readonly #open = new Map<number, OpenCall>();
  #count = 0;

  constructor(signer: string) {
    this.#signer = signer;
  }

  /** @param response the id of the response. Ids of calls without one are made from it. */
  read(piece: CallPiece, position: number, response: string | undefined, deltas: Delta[]): void {
    const { name, arguments: args } = piece.function ?? {};
    const found = this.#callOf(piece, piece.index ?? position);
    const call = found ?? this.#begin(piece, piece.index ?? position, response);
    const renamed = name !== undefined && name !== "" && name !== call.name;
    if (renamed) call.name = name;
    const signed = isJson(piece.extra_content);
    if (signed) call.native = { from: this.#signer, extra_content: piece.extra_content };
    if (found === undefined || renamed || signed) deltas.push(begin(call));
    if (args === undefined || args === null || args === "") return;
    deltas.push({ type: "arguments", at: call.at, json: typeof args === "string" ? args : JSON.stringify(args) });
  }

  /** Returns the call that this piece continues. A piece with a name and a different id begins another call. */
  #callOf({ id, function: called }: CallPiece, index: number): OpenCall | undefined {
    const call = this.#open.get(index);
    if (!id || id === call?.id) return call;
    if (called?.name) return undefined;
    // Some servers send the rest of a call under another index, with the call's id.
    return [...this.#open.values()].find((open) => open.id === id) ?? call;
  }

  #begin({ id, function: called }: CallPiece, index: number, response: string | undefined): OpenCall {
    const number = this.#count++;
    const call = { at: `c${number}`, id: id || `${response ?? "call"}-${number}`, name: called?.name ?? "" };
    this.#open.set(index, call);
    return call;
  }
}

const begin = ({ at, id, name, native }: OpenCall): Delta => ({
  type: "part",
  at,
  part: { type: "tool_call", id, name, arguments: {}, ...(native !== undefined && { native }) },
});
