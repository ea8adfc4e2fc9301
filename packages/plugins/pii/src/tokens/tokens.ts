import type { TokenId } from "./vault.js";

/** A value, and the label of its type. */
export interface Labelled {
  readonly label: string;
  readonly value: string;
}

/** The tokens of one session in a vault, for synchronous callers. Failures throw a `PiiError`. */
export interface Tokens {
  id(of: Labelled): TokenId;
  /** @param otherwise the value whose token is requested if the token has no value. */
  value(id: TokenId, otherwise?: Labelled): string | undefined;
  /**
   * Runs `look` as a trial to collect its requests, and sends them to an asynchronous vault. The results and errors of
   * the trial are not valid and are discarded. Returns `undefined` if no request is pending.
   */
  prepare(look: () => void): Promise<void> | undefined;
  /** True during a trial: requests are only collected. */
  readonly trial: boolean;
  erase(): void | PromiseLike<void>;
}
