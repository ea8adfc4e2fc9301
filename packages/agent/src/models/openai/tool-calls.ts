import type { Delta } from "@suite/core";

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
export class ToolCallReader {
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
