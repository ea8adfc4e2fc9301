import type { Awaitable, StateStore } from "@suite/core";
import { sleep } from "@suite/kit/time";
import { expectThat, within } from "../expect.js";

/** A store as the contract tests see it. */
export interface StoreSubject {
  /** Opens one more connection to the same state, as another process would. */
  open(): Awaitable<StateStore>;
  /** Closes a connection that `open` returned. */
  close?(store: StateStore): Awaitable<void>;
}

/** One promise of stores. It rejects if the promise does not hold. */
export interface StoreScenario {
  readonly name: string;
  run(subject: StoreSubject): Promise<void>;
}

/** A string that compresses badly and is longer than database indexes accept. */
export const longText = Array.from({ length: 3000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1).toString(36)).join("");

/** Milliseconds that suffice for several operations of a slow store. */
export const short = 1500;
const callers = 40;

/** The steps of a scenario. `key` returns the store's key for a name in this scenario. */
type Body = (store: StateStore, key: (name: string) => string, others: readonly StateStore[]) => Promise<void>;

/** Creates a scenario. Each one has separate keys, since the store may be shared. */
export const scenario = (name: string, body: Body): StoreScenario => ({
  name,
  async run(subject) {
    const stores = [await subject.open(), await subject.open(), await subject.open()] as const;
    const prefix = `contract:${Date.now().toString(36)}:${Math.random().toString(36).slice(2)}:`;
    try {
      await within(
        body(stores[0], (name) => prefix + name, stores),
        name,
        30_000,
      );
    } finally {
      for (const store of stores) await subject.close?.(store);
    }
  },
});

/** Runs the same operation over all connections at once. */
export const atOnce = <T>(stores: readonly StateStore[], act: (store: StateStore) => Awaitable<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callers }, async (_, i) => act(stores[i % stores.length] as StateStore)));

/** Expects a call to reject, or to throw. */
export async function expectRefused(act: () => Awaitable<unknown>, what: string): Promise<void> {
  let refused = false;
  try {
    await act();
  } catch {
    refused = true;
  }
  expectThat(refused, `${what} was not refused`);
}

/** Waits until an entry has expired. */
export async function expectExpired(isExpired: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 10 * short;
  while (!(await isExpired())) {
    expectThat(Date.now() < end, `${what} did not expire`);
    await sleep(short / 10);
  }
}
