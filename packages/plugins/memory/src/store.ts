import type { Awaitable, CallId, MemoryRecord, RuntimeContext } from "@suite/core";

/** The owner of memories: a user, and of these, where they are kept apart by agent, those of one agent. */
export interface MemoryScope {
  readonly user: string;
  /** The agent whose memories are meant. Undefined: those of all agents. */
  readonly agent?: string;
}

/** The call in which a store is asked, for stores that ask others: an embedding model, a service. */
export interface StoreCall {
  /** Aborts when the call is given up, and when its time is over. */
  readonly signal: AbortSignal;
  readonly runtime: RuntimeContext;
  readonly call: CallId;
}

/** The call in which records are added. */
export interface AddCall extends StoreCall {
  /**
   * The time of the run's question, in milliseconds since the epoch, with fractions. Nothing is kept where the user was
   * forgotten after it: a reply that was under way then must not bring back what was forgotten.
   */
  readonly since: number;
}

/**
 * A store of memories. Each operation is for one user: a store never gives one what it has of another. Texts have been
 * through the run's redactors and `memory` layers when it is given them.
 */
export interface MemoryStore {
  /** The id of the store on spans and in records: `gen_ai.memory.store.id`. */
  readonly id: string;
  /** The provider as in `gen_ai.provider.name`, where it is a service. */
  readonly provider?: string;
  /** The records that fit a text best, best first. */
  search(scope: MemoryScope, query: string, limit: number, call: StoreCall): Awaitable<readonly MemoryRecord[]>;
  /** Keeps records. The result: those that were kept, with their ids. */
  add(scope: MemoryScope, records: readonly MemoryRecord[], call: AddCall): Awaitable<readonly MemoryRecord[]>;
  /** Removes all that it has of a user, of every agent. The result: the number of records, where it knows that. */
  forget(user: string, call: StoreCall & { readonly at: number }): Awaitable<number | undefined>;
}

/** The time in milliseconds since the epoch, with fractions: of a question and a request to forget, one is first. */
export const now = (): number => performance.timeOrigin + performance.now();
