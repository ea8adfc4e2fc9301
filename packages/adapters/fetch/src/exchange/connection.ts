import type { Invocation } from "@suite/core";
import { FetchError } from "../errors.js";
import { send } from "./send.js";
import type { Fetch, Target } from "./target.js";

/**
 * The requests of one call, and what became of the last one where no response came: the layers meet an error, and the client
 * gets what `fetch` threw or gave, of which it makes its own.
 */
export class Connection {
  readonly #fetch: Fetch;
  #failure: { readonly error: unknown; readonly pass: () => Response } | undefined;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** @param givenUp aborts with the run, and when a layer gives the attempt up. */
  async send(
    target: Target,
    body: string,
    invocation: Pick<Invocation<"model">, "call" | "runtime">,
    givenUp?: AbortSignal,
  ): Promise<Response> {
    const { signal } = target.init;
    let given: unknown;
    try {
      given = await send(this.#fetch, target, body, invocation, givenUp);
    } catch (error) {
      // Not every `fetch` throws the signal's own reason, by which an abort is known.
      throw this.#failed(signal?.aborted ? signal.reason : error, () => {
        throw error;
      });
    }
    if (isResponse(given)) return given;
    const error = given instanceof Error ? given : noResponse();
    throw this.#failed(error, () => given as Response);
  }

  /** Does what `fetch` did, where this is the error that the layers met of it. */
  failure(error: unknown): (() => Response) | undefined {
    return this.#failure?.error === error ? this.#failure?.pass : undefined;
  }

  #failed(error: unknown, pass: () => Response): unknown {
    this.#failure = { error, pass };
    return error;
  }
}

/** A `fetch` of somebody's own may give an error in place of throwing it, or nothing. */
const isResponse = (given: unknown): given is Response =>
  typeof given === "object" && given !== null && !(given instanceof Error);

const noResponse = (): FetchError =>
  new FetchError("ERR_FETCH_ANSWER_UNREADABLE", "The fetch that requests are made with gave no response.");
