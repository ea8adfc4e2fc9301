import type { Carrier, Delta, ModelRequest, Reply } from "@suite/core";

/** The options that a model client is given beside the request. */
export interface ModelCallOptions {
  readonly signal: AbortSignal;
  /**
   * The headers that a request to this URL is to carry, such as trace context; undefined for none. They are for its host
   * alone: no redirect may take them along.
   */
  readonly carrierFor?: (url: string) => Carrier | undefined;
}

/**
 * A client of one model. It translates between the neutral message model and a provider's API, and does nothing else:
 * no retry, no logging, no state.
 */
export interface Model {
  /** The model that is asked, unless a layer replaces `request.model`. */
  readonly name: string;
  /** The provider's name as in `gen_ai.provider.name`: `openai`, `anthropic`, … */
  readonly provider?: string | undefined;
  /** The address at which the provider answers, for telemetry. */
  readonly server?: { readonly address: string; readonly port?: number } | undefined;
  /**
   * Identifies the server that signs parts of the answers, such as thinking that must go back unchanged. The agent keeps signed parts
   * apart from the history that plugins see, and adds them to requests for clients with the same `signer` only. Left out: the
   * client receives what plugins have left of them.
   */
  readonly signer?: string | undefined;
  /** One answer, whole. Rejects with the provider's own error, unchanged. */
  generate(request: ModelRequest, options: ModelCallOptions): Promise<Reply>;
  /** One answer as it comes. Ends with a `finish`; throws the provider's own error, unchanged. Closed by `return()`. */
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<Delta, void>;
}
