import type { Expiry, Message, StateStore } from "@suite/core";
import { isObject } from "@suite/core/options";
import { MemoryError } from "../errors.js";
import { type ConversationBounds, withinBounds } from "./bounds.js";
import { contended, mostWrites, UserSessions } from "./user-sessions.js";

/** A conversation as it was read. */
export interface History {
  readonly messages: readonly Message[];
  /** The version of the entry; undefined where there was none. */
  readonly version: string | undefined;
}

/** The messages of one run, to be put behind those of the conversation. */
export interface Turn {
  /** The user of the run, whose conversation it is from then on. */
  readonly user: string | undefined;
  /** The messages of the run itself. */
  readonly own: readonly Message[];
  /** All messages, where the run has replaced what was before it by something shorter, such as a summary. */
  readonly replaced: readonly Message[] | undefined;
  /** The version that the run began with. */
  readonly version: string | undefined;
}

/** The conversations in a `StateStore`, one entry each. */
export class Histories {
  readonly #store: StateStore;
  readonly #prefix: string;
  readonly #expiry: Expiry;
  readonly #bounds: ConversationBounds;
  readonly #sessions: UserSessions;

  constructor(store: StateStore, prefix: string, ttl: number | undefined, bounds: ConversationBounds) {
    this.#store = store;
    this.#prefix = prefix;
    this.#expiry = ttl === undefined ? {} : { ttl };
    this.#bounds = bounds;
    this.#sessions = new UserSessions(store, `${prefix}/users`, ttl);
  }

  /** @throws {MemoryError} `ERR_MEMORY_USER` where it is the conversation of somebody else. */
  async read(session: string, user: string | undefined): Promise<History> {
    const stored = await this.#store.get(this.#keyOf(session));
    if (stored === undefined) return { messages: [], version: undefined };
    const { messages, user: owner } = entryIn(stored.value);
    if (owner !== undefined && owner !== user) throw othersConversation();
    return { messages, version: stored.version };
  }

  /**
   * Puts a run behind its conversation, also where another run has written meanwhile: none is lost, and each is whole.
   *
   * @returns whether it was kept: a run that is too large by itself is not.
   */
  async append(session: string, turn: Turn): Promise<boolean> {
    const key = this.#keyOf(session);
    for (let attempt = 0; attempt < mostWrites; attempt++) {
      const { messages, version } = await this.read(session, turn.user);
      const all = version === turn.version && turn.replaced !== undefined ? turn.replaced : [...messages, ...turn.own];
      const kept = withinBounds(all, this.#bounds);
      if (kept === undefined) return false;
      const entry = { messages: kept, ...(turn.user !== undefined && { user: turn.user }) };
      if (turn.user !== undefined) await this.#sessions.add(turn.user, session);
      if (await this.#store.compareAndSet(key, version, entry, this.#expiry)) return true;
    }
    throw contended("conversation");
  }

  async forget(session: string): Promise<void> {
    await this.#store.delete(this.#keyOf(session));
  }

  /** Forgets the conversations of a user. Returns their number. */
  async forgetUser(user: string): Promise<number> {
    let count = 0;
    for (const session of await this.#sessions.of(user)) {
      const stored = await this.#store.get(this.#keyOf(session));
      if (stored === undefined || entryIn(stored.value).user !== user) continue;
      await this.forget(session);
      count++;
    }
    await this.#sessions.forget(user);
    return count;
  }

  #keyOf(session: string): string {
    return `${this.#prefix}:${session}`;
  }
}

/** @throws {MemoryError} `ERR_MEMORY_ANSWER` */
function entryIn(stored: unknown): { readonly messages: readonly Message[]; readonly user?: string } {
  if (isObject(stored) && Array.isArray(stored.messages) && stored.messages.every(isMessage)) {
    return { messages: stored.messages, ...(typeof stored.user === "string" && { user: stored.user }) };
  }
  throw new MemoryError("ERR_MEMORY_ANSWER", "The store holds something else under the key of this conversation.");
}

const isMessage = (given: unknown): given is Message =>
  isObject(given) && typeof given.role === "string" && Array.isArray(given.parts) && given.parts.every(isObject);

const othersConversation = (): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_USER",
    "The conversation is another user's. Give each conversation a sessionId of its own.",
  );
