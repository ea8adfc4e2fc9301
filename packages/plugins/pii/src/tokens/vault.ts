/** The identity of one token, `<EMAIL_1_bcdfghjk>`. */
export interface TokenId {
  /** The type in capital letters. */
  readonly label: string;
  /** The number, from 1 up, counted for each label of a session. */
  readonly number: number;
  /** Eight consonants that nobody can guess, made at random for the session: see `randomTag`. */
  readonly tag: string;
}

/**
 * A vault keeps the values behind tokens, apart for each session. The plugin asks it with the session's id, or `run:` and the
 * run's id where a run has no session.
 *
 * A token never stands for another value than the one it was made for: values are not dropped one by one, and a session
 * that is gone starts again with another tag.
 */
export interface Vault {
  readonly async?: false;
  /** The token of a value: the one it has in this session, or a new one. Throws where it cannot be kept. */
  id(session: string, label: string, value: string): TokenId;
  /** The value of a token, where it is one of this session. */
  value(session: string, id: TokenId): string | undefined;
  /** Forgets all values of a session. Its tokens then stand for nothing. */
  erase(session: string): void;
}

/** A vault that answers asynchronously: a database, say. For `pii()` only; a redactor has no time to wait. */
export interface AsyncVault {
  readonly async: true;
  id(session: string, label: string, value: string): PromiseLike<TokenId>;
  value(session: string, id: TokenId): PromiseLike<string | undefined>;
  erase(session: string): PromiseLike<void>;
}
