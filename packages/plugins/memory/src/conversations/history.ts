import type { Message, StateStore } from "@suite/core";
import type { Expiry } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { MemoryError } from "../errors.js";
import { now } from "../store.js";
import { type ConversationBounds, withinBounds } from "./bounds.js";
import { ForgottenNames, type Named } from "./forgotten-names.js";
import { contended, mostWrites, UserSessions } from "./user-sessions.js";

/** A stored conversation. */
export interface History {
  readonly messages: readonly Message[];
  /** The version of the entry, or `undefined` if there was none. */
  readonly version: string | undefined;
}

/** The messages of one run, to be appended to its conversation. */
export interface Turn {
  /** The user of the run, who owns the conversation from then on. */
  readonly user: string | undefined;
  /** The messages of the run. */
  readonly own: readonly Message[];
  /** All messages, if the run replaced earlier ones by a shorter form, such as a summary. */
  readonly replaced: readonly Message[] | undefined;
  /** The version at the start of the run. */
  readonly version: string | undefined;
  /** The time at which the run began, in milliseconds since the epoch. */
  readonly began: number;
}

/**
 * The result of a write: stored, too large, or forgotten (the conversation or user was forgotten after the run began).
 */
export type WriteResult = "kept" | "too_large" | "forgotten";

/** Keeps conversations in a `StateStore`, one entry each. */
export class Histories {
  readonly #store: StateStore;
  readonly #prefix: string;
  readonly #expiry: Expiry;
  readonly #bounds: ConversationBounds;
  readonly #sessions: UserSessions;
  readonly #forgotten: ForgottenNames;

  constructor(store: StateStore, prefix: string, ttl: number | undefined, bounds: ConversationBounds) {
    this.#store = store;
    this.#prefix = prefix;
    this.#expiry = ttl === undefined ? {} : { ttl };
    this.#bounds = bounds;
    this.#sessions = new UserSessions(store, `${prefix}/users`, ttl);
    this.#forgotten = new ForgottenNames(store, `${prefix}/forgotten`);
  }

  /** @throws {MemoryError} `ERR_MEMORY_USER` if the conversation belongs to another user */
  async read(session: string, user: string | undefined): Promise<History> {
    const stored = await this.#store.get(this.#keyOf(session));
    if (stored === undefined) return { messages: [], version: undefined };
    const { messages, user: owner } = entryIn(stored.value);
    if (owner !== undefined && owner !== user) throw othersConversation();
    return { messages, version: stored.version };
  }

  /**
   * Appends a run to its conversation, even if another run has written meanwhile: no run is lost or split. A run that
   * began before its conversation or user was forgotten is not stored.
   */
  async append(session: string, turn: Turn): Promise<WriteResult> {
    const key = this.#keyOf(session);
    const names: readonly Named[] = [
      ["session", session],
      ...(turn.user === undefined ? [] : [["user", turn.user] as const]),
    ];
    for (let attempt = 0; attempt < mostWrites; attempt++) {
      const { messages, version } = await this.read(session, turn.user);
      // Check after the read: forgetting from here on changes the version.
      if (await this.#forgotten.since(turn.began, names)) return "forgotten";
      const all = version === turn.version && turn.replaced !== undefined ? turn.replaced : [...messages, ...turn.own];
      const bounded = withinBounds(all, this.#bounds);
      if (bounded === undefined) return "too_large";
      const entry = { messages: bounded, ...(turn.user !== undefined && { user: turn.user }) };
      if (turn.user !== undefined) await this.#sessions.add(turn.user, session);
      if (await this.#store.compareAndSet(key, version, entry, this.#expiry)) return "kept";
    }
    throw contended("conversation");
  }

  async forget(session: string): Promise<void> {
    await this.#forgotten.add(["session", session], now());
    await this.#store.delete(this.#keyOf(session));
  }

  /** Forgets the conversations of a user. Returns their number. */
  async forgetUser(user: string): Promise<number> {
    await this.#forgotten.add(["user", user], now());
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
  throw new MemoryError(
    "ERR_MEMORY_ANSWER",
    "The store contains a value of another form under the key of this conversation.",
  );
}

const isMessage = (value: unknown): value is Message =>
  isObject(value) && typeof value.role === "string" && Array.isArray(value.parts) && value.parts.every(isObject);

const othersConversation = (): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_USER",
    "The conversation belongs to another user. Use a separate sessionId for each conversation.",
  );
