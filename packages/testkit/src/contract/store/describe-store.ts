import type { Awaitable, StateStore } from "@suite/core";
import { expectEqual, expectThat, pause, within } from "../expect.js";
import type { Runner } from "../runner.js";

/** A store as the contract tests see it. */
export interface StoreSubject {
  /** Opens one more connection to the same state, as another process would. */
  open(): Awaitable<StateStore>;
  /** Closes a connection that `open` gave. */
  close?(store: StateStore): Awaitable<void>;
}

/** One promise of stores: it rejects with what does not hold. */
export interface StoreScenario {
  readonly name: string;
  run(subject: StoreSubject): Promise<void>;
}

/**
 * The contract tests of one `StateStore`.
 *
 * @example
 * ```ts
 * describeStore("memory", { open: () => store }, { describe, it });
 * ```
 */
export function describeStore(name: string, subject: StoreSubject, { describe, it }: Runner): void {
  describe(`${name} keeps the contract of stores`, () => {
    for (const scenario of storeScenarios) it(scenario.name, () => scenario.run(subject));
  });
}

/** Long enough for a slow store to do several things in, in milliseconds. */
const short = 1500;
const callers = 40;

type Body = (store: StateStore, key: (name: string) => string, others: readonly StateStore[]) => Promise<void>;

/** Each scenario has keys of its own, since a store may be used by others too. */
const scenario = (name: string, body: Body): StoreScenario => ({
  name,
  async run(subject) {
    const stores = [await subject.open(), await subject.open(), await subject.open()] as const;
    const prefix = `contract:${Date.now().toString(36)}:${Math.random().toString(36).slice(2)}:`;
    try {
      await within(
        body(stores[0], (own) => prefix + own, stores),
        name,
        30_000,
      );
    } finally {
      for (const store of stores) await subject.close?.(store);
    }
  },
});

/** Does the same over all connections at once. */
const atOnce = <T>(stores: readonly StateStore[], act: (store: StateStore) => Awaitable<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: callers }, async (_, i) => act(stores[i % stores.length] as StateStore)));

async function expectRefused(act: () => Awaitable<unknown>, what: string): Promise<void> {
  let refused = false;
  try {
    await act();
  } catch {
    refused = true;
  }
  expectThat(refused, `${what} was not refused`);
}

async function expectGone(gone: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 10 * short;
  while (!(await gone())) {
    expectThat(Date.now() < end, `${what} did not expire`);
    await pause(short / 10);
  }
}

/** What every store promises. */
export const storeScenarios: readonly StoreScenario[] = [
  scenario("a value is kept as JSON, and is not the caller's object", async (store, key) => {
    const value = { list: [1, "é👋", null, { __proto: true }], text: "a'b\"c\\d" };
    expectEqual(await store.get(key("v")), undefined, "a key that was never set");
    expectEqual(await store.compareAndSet(key("v"), undefined, value), true, "the first value");
    const kept = await store.get(key("v"));
    expectEqual(kept?.value, value, "the value");
    (kept as { value: typeof value }).value.list.push("mine");
    expectEqual((await store.get(key("v")))?.value, value, "the value, after a reader changed its own");
  }),

  scenario("a value is replaced only by who knows its version", async (store, key) => {
    await store.compareAndSet(key("v"), undefined, 1);
    expectEqual(await store.compareAndSet(key("v"), undefined, 2), false, "a second first value");
    const first = await store.get(key("v"));
    expectEqual(await store.compareAndSet(key("v"), first?.version, 2), true, "the next value");
    expectEqual(await store.compareAndSet(key("v"), first?.version, 3), false, "a value for an old version");
    const second = await store.get(key("v"));
    expectEqual(second?.value, 2, "the value");
    expectEqual(await store.compareAndSet(key("v"), second?.version, undefined), true, "the removal");
    expectEqual(await store.get(key("v")), undefined, "the removed value");
    expectEqual(await store.compareAndSet(key("v"), second?.version, 4), false, "a value for a removed version");
    expectEqual(await store.compareAndSet(key("v"), undefined, 5), true, "a new first value");
    expectEqual(await store.compareAndSet(key("v"), first?.version, 6), false, "the version of an earlier life");
  }),

  scenario("of many who replace one version, one succeeds", async (store, key, all) => {
    await store.compareAndSet(key("v"), undefined, "begin");
    const version = (await store.get(key("v")))?.version;
    const done = await atOnce(all, (each) => each.compareAndSet(key("v"), version, "mine"));
    expectEqual(done.filter((replaced) => replaced).length, 1, "how many replaced it");
  }),

  scenario("a counter adds up, and never passes its maximum", async (store, key) => {
    expectEqual(await store.add(key("c"), 3, { maximum: 10 }), { added: true, total: 3 }, "the first amount");
    expectEqual(await store.add(key("c"), 8, { maximum: 10 }), { added: false, total: 3 }, "an amount too many");
    expectEqual(await store.add(key("c"), 7, { maximum: 10 }), { added: true, total: 10 }, "an amount up to it");
    expectEqual(await store.add(key("c"), -4, { maximum: 5 }), { added: true, total: 6 }, "an amount given back");
    expectEqual(await store.add(key("c"), 0), { added: true, total: 6 }, "nothing, which reads it");
    expectEqual(await store.add(key("c"), 2 ** 40), { added: true, total: 2 ** 40 + 6 }, "a large amount");
  }),

  scenario("of many who add at once, as many succeed as fit", async (store, key, all) => {
    const done = await atOnce(all, (each) => each.add(key("c"), 2, { maximum: 31 }));
    expectEqual(done.filter(({ added }) => added).length, 15, "how many were added");
    expectEqual((await store.add(key("c"), 0)).total, 30, "the total");
  }),

  scenario("of many who claim a key, one succeeds", async (_, key, all) => {
    const done = await atOnce(all, (each) => each.claim(key("k"), { ttl: 60_000 }));
    expectEqual(done.filter((mine) => mine).length, 1, "how many have it");
  }),

  scenario("what is deleted can be begun again", async (store, key) => {
    await store.claim(key("k"));
    await store.add(key("c"), 5);
    await store.compareAndSet(key("v"), undefined, 1);
    for (const name of ["k", "c", "v", "never"]) await store.delete(key(name));
    expectEqual(await store.claim(key("k")), true, "a claim");
    expectEqual(await store.add(key("c"), 1), { added: true, total: 1 }, "a counter");
    expectEqual(await store.compareAndSet(key("v"), undefined, 2), true, "a value");
  }),

  scenario("entries expire, a counter when it was begun and not when it was added to", async (store, key) => {
    const ttl = short;
    await store.compareAndSet(key("v"), undefined, 1, { ttl });
    const version = (await store.get(key("v")))?.version;
    await store.claim(key("k"), { ttl });
    await store.add(key("c"), 5, { ttl });
    await store.add(key("c"), 1, { ttl: 100 * ttl });
    await store.add(key("long"), 5, { ttl: 100 * ttl });
    await expectGone(async () => (await store.get(key("v"))) === undefined, "the value");
    await expectGone(async () => (await store.add(key("c"), 0)).total === 0, "the counter");
    await expectGone(async () => store.claim(key("k")), "the claim");
    expectEqual(await store.compareAndSet(key("v"), version, 2), false, "a value for an expired version");
    expectEqual(await store.compareAndSet(key("v"), undefined, 3), true, "a new value");
    expectEqual((await store.add(key("long"), 0)).total, 5, "a counter that lives");
  }),

  scenario("keys are told apart whatever is in them", async (store, key) => {
    const names = [
      "a",
      "A",
      "a ",
      "a:b",
      "a\nb",
      "é",
      "e\u0301",
      "__proto__",
      "constructor",
      "%",
      "*",
      "'; --",
      "x".repeat(500),
    ];
    for (const [index, name] of names.entries()) await store.compareAndSet(key(name), undefined, index);
    for (const [index, name] of names.entries()) {
      expectEqual((await store.get(key(name)))?.value, index, `the value of key ${JSON.stringify(name).slice(0, 20)}`);
    }
  }),

  scenario("calls that no store can keep exactly are refused", async (store, key) => {
    for (const ttl of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expectRefused(() => store.claim(key("k"), { ttl }), `a ttl of ${ttl}`);
      await expectRefused(() => store.compareAndSet(key("v"), undefined, 1, { ttl }), `a ttl of ${ttl}`);
      await expectRefused(() => store.add(key("c"), 1, { ttl }), `a ttl of ${ttl}`);
    }
    for (const amount of [0.5, Number.NaN, 2 ** 53]) {
      await expectRefused(() => store.add(key("c"), amount), `an amount of ${amount}`);
      await expectRefused(() => store.add(key("c"), 1, { maximum: amount }), `a maximum of ${amount}`);
    }
    expectEqual(await store.claim(key("k")), true, "the key, afterwards");
  }),
];
