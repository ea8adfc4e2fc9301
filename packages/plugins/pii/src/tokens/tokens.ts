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
   * Runs `collect`, and sends the requests that it makes to an async vault. What it returns is not valid. Returns
   * `undefined` if there is no request.
   */
  prepare(collect: () => void): Promise<void> | undefined;
  /** True while requests are only collected. */
  readonly collects: boolean;
  erase(): void | PromiseLike<void>;
}
