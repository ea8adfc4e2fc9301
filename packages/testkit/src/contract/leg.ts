import type { ModelServer } from "../server/server.js";
import type { Attempt, Observed, SeenPiece } from "./subject.js";

/** One leg of an attempt as a subject watches it: from a start, or a resume, to an end, or the next suspension. */
export class Leg {
  readonly pieces: string[] = [];
  readonly parts: SeenPiece[] = [];
  readonly #from: number;

  constructor(
    readonly server: ModelServer,
    readonly attempt: Pick<Attempt, "onPiece">,
  ) {
    this.#from = server.requests.length;
  }

  /** Adds a piece of text that the user sees. Returns true if the user continues to read. */
  read(piece: string): boolean {
    this.pieces.push(piece);
    return this.attempt.onPiece?.(piece) ?? true;
  }

  /** The part of an observation that every leg has, however it ends. */
  get seen(): Pick<Observed, "pieces" | "prompts"> & { readonly parts: readonly SeenPiece[] } {
    const prompts = this.server.requests.slice(this.#from).map(({ body }) => JSON.stringify(body));
    return { pieces: this.pieces, parts: this.parts, prompts };
  }
}

/** Prepares the model server for an attempt: resets it and scripts the attempt's answers. */
export function answering(server: ModelServer, { answers }: Pick<Attempt, "answers">): ModelServer {
  server.reset();
  server.script(...answers);
  return server;
}
