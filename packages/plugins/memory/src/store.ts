import type { Awaitable, CallId, RuntimeContext } from "@suite/core";
import type { MemoryRecord } from "@suite/core/contract";

/** The owner of memories: a user, optionally restricted to one agent. */
export interface MemoryScope {
  readonly user: string;
  /** The agent whose memories are meant. Undefined: all agents. */
  readonly agent?: string;
}

/** The call context of a store, for stores that call an embedding model or a service. */
export interface StoreCall {
  /** Aborts when the call is cancelled or times out. */
  readonly signal: AbortSignal;
  readonly runtime: RuntimeContext;
  readonly call: CallId;
}

/** The call context when records are added. */
export interface AddCall extends StoreCall {
  /**
   * The time of the run's question, in milliseconds since the epoch, with fractions. If the user was forgotten after
   * it, nothing is stored: a reply that was running then must not restore deleted data.
   */
  readonly since: number;
}

/**
 * A store of memories. Each operation is for one user, and never returns records of another. Strings have already
 * passed the run's redactors and `memory` layers.
 */
export interface MemoryStore {
  /** The id of the store on spans and in records: `gen_ai.memory.store.id`. */
  readonly id: string;
  /** The provider as in `gen_ai.provider.name`, if the store is a service. */
  readonly provider?: string;
  /** Returns the records that match the query best, best first. */
  search(scope: MemoryScope, query: string, limit: number, call: StoreCall): Awaitable<readonly MemoryRecord[]>;
  /** Keeps records. The result: those that were kept, with their ids. */
  add(scope: MemoryScope, records: readonly MemoryRecord[], call: AddCall): Awaitable<readonly MemoryRecord[]>;
  /** Removes all records of a user, for every agent. Returns their number, if known. */
  forget(user: string, call: StoreCall & { readonly at: number }): Awaitable<number | undefined>;
}

/** The time in milliseconds since the epoch, with fractions: of a question and a request to forget, one is first. */
export const now = (): number => performance.timeOrigin + performance.now();
