import { type Carrier, type Delta, onAbort } from "@suite/core";
import { AgentError } from "../../errors.js";
import type { Model } from "../model.js";

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

/** Creates the error about an answer that the server ended too early. Another attempt may succeed. */
export const cut = (what: string): AgentError =>
  new AgentError(
    "ERR_AGENT_MODEL_STREAM_CUT",
    `${what}. The server ended the answer too early, so the answer is incomplete. Another attempt may succeed.`,
  );

/**
 * Returns the error to throw for one that an SDK threw: `cut` for JSON that ends in its middle. The SDK's own message would quote the
 * answer.
 */
export const cutOr = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "name" in error && error.name === "SyntaxError"
    ? cut("The answer is not valid JSON")
    : error;

/** The options that a request is given beside its own. */
export interface Carrying {
  readonly headers?: Record<string, string>;
  readonly fetchOptions?: { readonly redirect: "manual" };
}

/** The status codes of redirects, by the Fetch standard. */
const redirects: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request with headers that are meant for its host alone. `fetch` would take them along wherever it is
 * redirected to: such a request is sent once more, without them.
 */
export async function carrying<T>(carrier: Carrier | undefined, send: (more: Carrying) => PromiseLike<T>): Promise<T> {
  if (carrier === undefined) return send({});
  try {
    return await send({ headers: { ...carrier }, fetchOptions: { redirect: "manual" } });
  } catch (error) {
    if (!isRedirect(error)) throw error;
    return send({});
  }
}

const isRedirect = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "status" in error && redirects.has(error.status);

const ports: Readonly<Record<string, number>> = { __proto__: null as never, "http:": 80, "https:": 443 };

/** The server that a base URL leads to, without the credentials that it may carry. */
export function serverOf(baseURL: string): Model["server"] {
  if (!URL.canParse(baseURL)) return undefined;
  const { hostname, port, protocol } = new URL(baseURL);
  const number = port === "" ? ports[protocol] : Number(port);
  return { address: hostname, ...(number !== undefined && { port: number }) };
}
