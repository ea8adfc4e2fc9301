import type { TokenId } from "./vault.js";

/** A value, and the label of its type. */
export interface Labelled {
  readonly label: string;
  readonly value: string;
}

/** The tokens of one session in a vault, for those who cannot wait. What fails throws a `PiiError`. */
export interface Tokens {
  id(of: Labelled): TokenId;
  /** @param otherwise whose token will be asked for where there is no value. */
  value(id: TokenId, otherwise?: Labelled): string | undefined;
  /**
   * Gets everything that `look` asks for from a vault that answers asynchronously. What `look` throws is dropped, and what it
   * makes of the answers, which are not right yet, must be too. Undefined where there is nothing to wait for.
   */
  prepare(look: () => void): Promise<void> | undefined;
  /** Whether `look` is at work: it is only collected what will be asked for. */
  readonly trial: boolean;
  erase(): void | PromiseLike<void>;
}
