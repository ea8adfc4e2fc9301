/** The identity of one token, `<EMAIL_1_bcdfghjk>`. */
export interface TokenId {
  /** The type in capital letters. */
  readonly label: string;
  /** The number, from 1 up, counted for each label of a session. */
  readonly number: number;
  /** Eight random consonants that cannot be guessed, created for the session. See `randomTag`. */
  readonly tag: string;
}

/**
 * A vault keeps the values of tokens, separately for each session and user. The plugin calls it with the session's id,
 * or with `run:` and the run's id if a run has no session, and with the `userId` of the run, or `""` if it is absent.
 * A vault that ignores the user keeps values by session alone.
 *
 * A token never stands for another value than the one it was created for. Values are not removed one by one, and a
 * session that was removed starts again with another tag.
 */
export interface Vault {
  readonly async?: false;
  /** Returns the token of a value: the one it has in this session, or a new one. Throws if it cannot be kept. */
  id(session: string, label: string, value: string, user?: string): TokenId;
  /** Returns the value of a token of this session and user. `undefined` for any other token. */
  value(session: string, id: TokenId, user?: string): string | undefined;
  /** Removes the values of a session: those of one user, or of all users if none is passed. */
  erase(session: string, user?: string): void;
  /** Forgets the values of a user in all sessions. Returns the number of sessions. */
  forgetUser?(user: string): number;
}

/** A vault that answers asynchronously, such as a database. For `pii()` only: a redactor cannot wait. */
export interface AsyncVault {
  readonly async: true;
  id(session: string, label: string, value: string, user?: string): PromiseLike<TokenId>;
  value(session: string, id: TokenId, user?: string): PromiseLike<string | undefined>;
  erase(session: string, user?: string): PromiseLike<void>;
  forgetUser?(user: string): PromiseLike<number>;
}

/** A vault that can forget a user. All vaults of this package can. */
export interface UserVault extends Vault {
  forgetUser(user: string): number;
}

/** An asynchronous vault that can forget a user. */
export interface AsyncUserVault extends AsyncVault {
  forgetUser(user: string): Promise<number>;
}

/** A vault, and whose values are meant. */
export interface VaultScope {
  readonly session: string;
  /** `""` if the run has no user. */
  readonly user: string;
}
