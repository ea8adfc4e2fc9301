import type { StateStore } from "@suite/core";
import { isObject } from "@suite/kit";
import { MemoryError } from "../errors.js";

/** The maximum number of attempts of a concurrent write. Each failed attempt means that another process has written. */
export const mostWrites = 100;
/** The maximum number of sessions listed per user. The oldest are removed; they expire anyway. */
const mostSessions = 10_000;

interface Listed {
  /** The time of the last write, in milliseconds since the epoch. */
  readonly at: number;
  readonly sessions: readonly string[];
}

/** Lists the sessions of each user, so that all conversations of a user can be found. */
export class UserSessions {
  readonly #store: StateStore;
  readonly #prefix: string;
  readonly #ttl: number | undefined;

  constructor(store: StateStore, prefix: string, ttl: number | undefined) {
    this.#store = store;
    this.#prefix = prefix;
    this.#ttl = ttl;
  }

  async of(user: string): Promise<readonly string[]> {
    return listedIn((await this.#store.get(this.#keyOf(user)))?.value).sessions;
  }

  /** Adds a session to the list. The list outlives each of its sessions. */
  async add(user: string, session: string): Promise<void> {
    const key = this.#keyOf(user);
    for (let attempt = 0; attempt < mostWrites; attempt++) {
      const stored = await this.#store.get(key);
      const { at, sessions } = listedIn(stored?.value);
      const isFresh = this.#ttl === undefined || Date.now() - at < this.#ttl / 2;
      if (isFresh && sessions.includes(session)) return;
      const others = sessions.filter((each) => each !== session).slice(1 - mostSessions);
      const next: Listed = { at: Date.now(), sessions: [...others, session] };
      const expiry = this.#ttl === undefined ? {} : { ttl: 2 * this.#ttl };
      if (await this.#store.compareAndSet(key, stored?.version, next, expiry)) return;
    }
    throw contended("list of a user's conversations");
  }

  async forget(user: string): Promise<void> {
    await this.#store.delete(this.#keyOf(user));
  }

  #keyOf(user: string): string {
    return `${this.#prefix}:${user}`;
  }
}

const listedIn = (value: unknown): Listed =>
  isObject(value) && Array.isArray(value.sessions) && typeof value.at === "number"
    ? { at: value.at, sessions: value.sessions.filter((each): each is string => typeof each === "string") }
    : { at: 0, sessions: [] };

export const contended = (what: string): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_ANSWER",
    `The ${what} could not be written in ${mostWrites} attempts because other processes changed it.`,
  );
