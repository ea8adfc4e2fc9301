import type { Invocation } from "@suite/core";
import { propagate } from "@suite/core/propagation";
import { FetchError } from "../errors.js";
import type { Fetch, Target } from "./target.js";

/**
 * The requests of one call. If no response arrives, the layers get an error. The client gets exactly the error or value
 * of `fetch` and derives its error from it.
 */
export class Connection {
  readonly #fetch: Fetch;
  #failure: { readonly error: unknown; readonly pass: () => Response } | undefined;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Sends a request. @param abortSignal the signal of the request */
  send(
    target: Target,
    body: string,
    invocation: Pick<Invocation<"model">, "call" | "runtime">,
    abortSignal: AbortSignal | undefined,
  ): Promise<Response> {
    const { signal } = target.init;
    const failed = (error: unknown): never => {
      // Not every `fetch` throws the reason of the signal, which identifies an abort.
      throw this.#failed(signal?.aborted ? signal.reason : error, () => {
        throw error;
      });
    };
    try {
      // A custom `fetch` may return no promise.
      return Promise.resolve(send(this.#fetch, target, body, invocation, abortSignal)).then(
        this.#checkResponse,
        failed,
      );
    } catch (error) {
      return failed(error);
    }
  }

  readonly #checkResponse = (response: unknown): Response => {
    if (isResponse(response)) return response;
    const error = response instanceof Error ? response : noResponse();
    throw this.#failed(error, () => response as Response);
  };

  /** Returns a function that repeats the result of `fetch`, if the layers got this error for it. */
  failure(error: unknown): (() => Response) | undefined {
    return this.#failure?.error === error ? this.#failure?.pass : undefined;
  }

  #failed(error: unknown, pass: () => Response): unknown {
    this.#failure = { error, pass };
    return error;
  }
}

/** A custom `fetch` may return an error instead of throwing it, or nothing. */
const isResponse = (value: unknown): value is Response =>
  typeof value === "object" && value !== null && !(value instanceof Error);

const noResponse = (): FetchError =>
  new FetchError("ERR_FETCH_ANSWER_UNREADABLE", "The fetch function did not return a Response.");

/** The status codes of redirects in the Fetch standard. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request. The headers of propagators are for this host only, but `fetch` sends them to the target of a
 * redirect, too. A redirected request is therefore sent again without them.
 */
export function send(
  fetch: Fetch,
  { url, headers, init }: Target,
  body: string,
  { call, runtime }: Pick<Invocation<"model">, "call" | "runtime">,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const request: RequestInit = { ...init, method: "POST", headers, body, ...(signal && { signal }) };
  const carrier = propagate(call, runtime, { kind: "http", url: url.href });
  return carrier === undefined ? fetch(url.href, request) : carried(fetch, url, request, carrier);
}

async function carried(
  fetch: Fetch,
  url: URL,
  request: RequestInit,
  carrier: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(carrier)) headers.set(name, value);
  const response = await fetch(url.href, { ...request, headers, redirect: "manual" });
  if (!redirects.has(response.status) && response.type !== "opaqueredirect") return response;
  await response.body?.cancel();
  return fetch(url.href, request);
}
