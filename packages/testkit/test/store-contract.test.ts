import { describe, expect, it } from "@jest/globals";
import type { StateStore } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import { describeStore, storeScenarios } from "@suite/testkit";

const shared = memoryStateStore();
describeStore("the memory store", { open: () => shared }, { describe, it });

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Stores that break one promise each. */
const broken: Readonly<Record<string, (store: StateStore) => Partial<StateStore>>> = {
  "a counter adds up, and never passes its maximum": (store) => ({ add: (key, amount) => store.add(key, amount) }),
  "of many who add at once, as many succeed as fit": (store) => ({
    async add(key, amount, { maximum = Number.MAX_SAFE_INTEGER } = {}) {
      const { total } = await store.add(key, 0);
      await later();
      return total + amount > maximum ? { added: false, total } : store.add(key, amount);
    },
  }),
  "of many who claim a key, one succeeds": () => ({ claim: () => true }),
  "of many who replace one version, one succeeds": (store) => ({
    async compareAndSet(key, version, value) {
      const known = await store.get(key);
      await later();
      if (known?.version !== version) return false;
      await store.delete(key);
      return store.compareAndSet(key, undefined, value);
    },
  }),
  "entries expire, a counter when it was begun and not when it was added to": (store) => ({
    compareAndSet: (key, version, value, expiry) =>
      version !== undefined || store.compareAndSet(key, version, value, expiry),
  }),
  "what is deleted can be begun again": () => ({ delete: () => {} }),
  "any JSON is kept as it is": (store) => ({
    async get(key) {
      const kept = await store.get(key);
      return kept?.value === null ? undefined : kept;
    },
  }),
  "a value that is replaced has the lifetime of the new one": (store) => ({
    async compareAndSet(key, version, value, expiry) {
      return store.compareAndSet(key, version, value, expiry ?? { ttl: 1000 });
    },
  }),
  "a removal needs the version as well": (store) => ({
    async compareAndSet(key, version, value, expiry) {
      if (value !== undefined) return store.compareAndSet(key, version, value, expiry);
      await store.delete(key);
      return true;
    },
  }),
  "an amount that is refused begins no counter, and totals may be negative": (store) => ({
    async add(key, amount, options = {}) {
      await store.add(key, 0, options);
      return store.add(key, amount, options);
    },
  }),
  "a counter that expires says when, or nothing, and by one clock for all who ask": (store) => ({
    async add(key, amount, options) {
      const added = await store.add(key, amount, options);
      return { ...added, ...(options?.ttl !== undefined && { expiresIn: options.ttl }) };
    },
  }),
  "a total that is no safe integer is refused, and nothing is added": (store) => ({
    async add(key, amount, options) {
      const { total } = await store.add(key, 0);
      return Number.isSafeInteger(total + amount)
        ? store.add(key, amount, options)
        : { added: true, total: total + amount };
    },
  }),
  "a key is of one kind": (store) => {
    const counters = memoryStateStore();
    return {
      add: (key, amount, options) => counters.add(key, amount, options),
      async delete(key) {
        await counters.delete(key);
        await store.delete(key);
      },
    };
  },
  "keys are told apart whatever is in them": (store) => {
    // As a text of UTF-8 has them.
    const key = (name: string) => Buffer.from(name).toString();
    return {
      get: (name) => store.get(key(name)),
      compareAndSet: (name, ...rest) => store.compareAndSet(key(name), ...rest),
    };
  },
  "a value is kept as JSON, and is not the caller's object": () => {
    const kept = new Map<string, unknown>();
    return {
      get: (key) => (kept.has(key) ? { value: kept.get(key), version: "1" } : undefined),
      compareAndSet: (key, _, value) => Boolean(kept.set(key, value)),
    };
  },
  "calls that no store can keep exactly are refused": (store) => ({
    claim: (key, { ttl } = {}) => store.claim(key, ttl !== undefined && ttl > 0 ? { ttl: Math.ceil(ttl) } : {}),
  }),
};

describe("the contract of stores finds", () => {
  it.each(Object.entries(broken))("a store that breaks: %s", async (name, breaks) => {
    const store = memoryStateStore();
    const scenario = storeScenarios.find((each) => each.name === name);
    await expect(scenario?.run({ open: () => ({ ...store, ...breaks(store) }) })).rejects.toThrow();
  });
});

describe("the memory store", () => {
  it("refuses one more entry than it may have, drops none that lives, and takes new ones when some have expired", async () => {
    let time = 0;
    const store = memoryStateStore({ maxEntries: 2, now: () => time });
    await store.claim("a", { ttl: 10 });
    await store.claim("b");
    expect(() => store.claim("c")).toThrow(expect.objectContaining({ code: "ERR_STORE_FULL" }));
    expect(await store.claim("a")).toBe(false);
    time = 10;
    expect(await store.claim("c")).toBe(true);
    expect(await store.claim("b")).toBe(false);
  });
});
