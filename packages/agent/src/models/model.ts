import type { Delta, ModelRequest, Reply } from "@suite/core";
import type { Carrier } from "@suite/core/propagation";

/** The options that a model client receives with the request. */
export interface ModelCallOptions {
  /** Cancels the request when it aborts. */
  readonly signal: AbortSignal;
  /**
   * Returns the headers for a request to this URL, such as trace context, or `undefined` for none. They are for this
   * host only: do not send them along with a redirect.
   */
  readonly carrierFor?: (url: string) => Carrier | undefined;
}

/**
 * A client of one model. It only translates between the neutral message model and a provider's API: no retry, no
 * logging, no state.
 */
export interface Model {
  /** The model that is called, unless a layer replaces `request.model`. */
  readonly name: string;
  /** The provider's name as in `gen_ai.provider.name`: `openai`, `anthropic`, … */
  readonly provider?: string | undefined;
  /** The address of the provider's server, for telemetry. */
  readonly server?: { readonly address: string; readonly port?: number } | undefined;
  /**
   * Identifies the server that signs parts of the answers, such as thinking that must be sent back unchanged. The agent
   * stores signed parts separately from the history that plugins see, and adds them only to requests for clients with
   * the same `signer`. If left out, the client receives these parts as plugins have changed them.
   */
  readonly signer?: string | undefined;
  /** Returns one complete answer. Rejects with the provider's error, unchanged. */
  generate(request: ModelRequest, options: ModelCallOptions): Promise<Reply>;
  /**
   * Streams one answer, which ends with a `finish`. Throws the provider's error, unchanged. `return()` closes the
   * stream.
   */
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<Delta, void>;
}
