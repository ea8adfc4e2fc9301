import { type Durable, type StateKey, stateKey } from "./state-key.js";

/**
 * Values under typed keys, passed to a run by a caller or contained in its result.
 *
 * @example
 * ```ts
 * export const tenant = stateKey<string | undefined>("tenant", () => undefined);
 * await agent.run("…", { values: new Values().set(tenant, "acme") }); // plugins and tools: runtime.get(tenant)
 * ```
 */
export class Values implements Iterable<readonly [StateKey<unknown>, unknown]> {
  readonly #values = new Map<symbol, readonly [StateKey<unknown>, unknown]>();

  set<T>(key: StateKey<T>, value: T): this {
    this.#values.set(key.id, [key, value]);
    return this;
  }

  /** Returns the value of a key, or `undefined` if it is not set. */
  get<T>(key: StateKey<T>): T | undefined {
    return this.#values.get(key.id)?.[1] as T | undefined;
  }

  [Symbol.iterator](): IterableIterator<readonly [StateKey<unknown>, unknown]> {
    return this.#values.values();
  }
}

/**
 * Creates a key whose value the run's result contains: a parsed output, timings, citations. A plugin exports the key
 * and sets it.
 *
 * @param durable lets the value survive a suspension, as in `stateKey`.
 * @example
 * ```ts
 * export const citations = resultKey<readonly string[]>("citations");
 * runtime.set(citations, found); // the caller: result.values.get(citations)
 * ```
 */
export const resultKey = <T>(
  name: string,
  durable?: Omit<Durable<T | undefined>, "name">,
): StateKey<T | undefined> => ({ ...stateKey<T | undefined>(name, () => undefined, durable), inResult: true });
