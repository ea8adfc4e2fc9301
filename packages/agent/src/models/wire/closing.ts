import { type Delta, onAbort } from "@suite/core";
import { AgentError } from "../../errors.js";

/**
 * The signal of one call: follows the caller's, and lets go of it in the end. What an SDK leaves on a signal then goes
 * with the call, and not with the run.
 */
export class CallSignal {
  readonly #inner = new AbortController();
  readonly #unfollow: () => void;
  #closed = false;

  constructor(outer: AbortSignal) {
    this.#unfollow = onAbort(outer, () => this.#inner.abort(outer.reason));
  }

  get signal(): AbortSignal {
    return this.#inner.signal;
  }

  /** The reader left: what is then cut off is no error. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Whether a stream that has no more chunks was read to its end, and is not one that the reader has left. An SDK ends one
   * that was aborted, or broken off, as if it were complete.
   *
   * @param complete whether the provider has said that it is.
   * @throws the reason of the abort, or AgentError `ERR_AGENT_MODEL_STREAM_CUT`.
   */
  isReadToEnd(complete: boolean, missing: string): boolean {
    if (this.#closed) return false;
    this.signal.throwIfAborted();
    if (!complete) throw cut(missing);
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#inner.abort();
    this.release();
  }

  release(): void {
    this.#unfollow();
  }
}

/**
 * A stream that can be closed while a pull is under way: a generator by itself would finish that pull first.
 * `open` releases the call when it ends, however it ends. Nothing happens before the first pull.
 */
export const closable = (
  signal: AbortSignal,
  open: (call: CallSignal) => AsyncGenerator<Delta, void>,
): AsyncIterable<Delta, void> => ({
  [Symbol.asyncIterator]() {
    let call: CallSignal | undefined;
    let deltas: AsyncGenerator<Delta, void> | undefined;
    return {
      next() {
        call ??= new CallSignal(signal);
        deltas ??= open(call);
        return deltas.next();
      },
      async return() {
        call?.close();
        await deltas?.return();
        deltas = ended();
        return { done: true, value: undefined };
      },
    };
  },
});

async function* ended(): AsyncGenerator<Delta, void> {}

/** The error about an answer that is not whole. */
export const cut = (what: string): AgentError =>
  new AgentError("ERR_AGENT_MODEL_STREAM_CUT", `${what}: the server broke off, and what came is not the whole answer.`);
