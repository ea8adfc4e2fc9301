import { type Delta, onAbort } from "@suite/core";
import type { Carrier } from "@suite/core/propagation";
import { AgentError } from "../../errors.js";
import type { Model } from "../model.js";

/**
 * The signal of one call. It follows the caller's signal until it is released. Listeners that an SDK leaves on a signal
 * are then freed with the call, not only with the run.
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

  /** True if the reader has left. An error of the cut-off call is then not reported. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Checks a stream without more chunks. Returns true if it was read to its end, and false if the reader has left. An
   * SDK ends a stream that was aborted or cut off as if it were complete.
   *
   * @param complete whether the provider has reported the end.
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
 * Creates a stream that can be closed during a pull. A generator alone would finish that pull first. `open` must
 * release the call when it ends. Nothing happens before the first pull.
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

/** Creates the error for an answer that the server ended too early. Another attempt may succeed. */
export const cut = (what: string): AgentError =>
  new AgentError(
    "ERR_AGENT_MODEL_STREAM_CUT",
    `${what}. The server ended the answer too early, so the answer is incomplete. Another attempt may succeed.`,
  );

/**
 * Returns the error to throw for an error of an SDK: `cut` for incomplete JSON, because the SDK's message would quote
 * the answer.
 */
export const cutOr = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "name" in error && error.name === "SyntaxError"
    ? cut("The answer is not valid JSON")
    : error;

/** The additional options of a request. */
export interface Carrying {
  readonly headers?: Record<string, string>;
  readonly fetchOptions?: { readonly redirect: "manual" };
}

/** The status codes of redirects in the Fetch standard. */
const redirects: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request with headers that are for its host only. `fetch` would send them along with redirects, so a
 * redirected request is sent again without them.
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

/** Adds headers to those of a carrier. */
export const withHeaders = <C extends Carrying>(more: C, headers: Readonly<Record<string, string>>): C =>
  Object.keys(headers).length === 0 ? more : { ...more, headers: { ...more.headers, ...headers } };

const isRedirect = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "status" in error && redirects.has(error.status);

const ports: Readonly<Record<string, number>> = { __proto__: null as never, "http:": 80, "https:": 443 };

/** Returns the server of a base URL, without the credentials that it may contain. */
export function serverOf(baseURL: string): Model["server"] {
  if (!URL.canParse(baseURL)) return undefined;
  const { hostname, port, protocol } = new URL(baseURL);
  const number = port === "" ? ports[protocol] : Number(port);
  return { address: hostname, ...(number !== undefined && { port: number }) };
}
