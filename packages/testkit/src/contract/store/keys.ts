import { expectEqual } from "../expect.js";
import { atOnce, expectExpired, expectRefused, longText, type StoreScenario, scenario, short } from "./scenario.js";

/** The promises of every store about claims, keys, lifetimes, and refused input. */
export const keyScenarios: readonly StoreScenario[] = [
  scenario("of many who claim a key, one succeeds", async (_, key, all) => {
    const results = await atOnce(all, (each) => each.claim(key("k"), { ttl: 60_000 }));
    expectEqual(results.filter((mine) => mine).length, 1, "how many have it");
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
    await expectExpired(async () => (await store.get(key("v"))) === undefined, "the value");
    await expectExpired(async () => (await store.add(key("c"), 0)).total === 0, "the counter");
    await expectExpired(async () => store.claim(key("k")), "the claim");
    expectEqual(await store.compareAndSet(key("v"), version, 2), false, "a value for an expired version");
    expectEqual(await store.compareAndSet(key("v"), undefined, 3), true, "a new value");
    expectEqual((await store.add(key("long"), 0)).total, 5, "a counter that lives");
  }),

  scenario("a key is of one kind", async (store, key) => {
    await store.compareAndSet(key("v"), undefined, "12");
    await store.add(key("c"), 5);
    await store.claim(key("k"));
    await expectRefused(() => store.add(key("v"), 1), "an amount added to a value");
    await expectRefused(() => store.add(key("k"), 1), "an amount added to a claim");
    await expectRefused(() => store.get(key("c")), "a counter read as a value");
    await expectRefused(() => store.get(key("k")), "a claim read as a value");
    for (const name of ["v", "c", "k"])
      expectEqual(await store.claim(key(name)), false, "a claim of a key that is taken");
    for (const name of ["c", "k"]) {
      expectEqual(await store.compareAndSet(key(name), undefined, 1), false, "a value under a key that is taken");
    }
    expectEqual((await store.get(key("v")))?.value, "12", "the value");
    expectEqual((await store.add(key("c"), 0)).total, 5, "the counter");
    for (const name of ["v", "c", "k"]) await store.delete(key(name));
    expectEqual(await store.claim(key("v")), true, "a claim of what was a value");
    expectEqual(await store.add(key("k"), 1), { added: true, total: 1 }, "a counter of what was a claim");
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
      "",
      " a",
      "a\u0000",
      "\u0000",
      "\ud800",
      "\udfff",
      "\ufffd",
      "\\ud800",
      "{a}b",
      "x".repeat(500),
      `${longText}a`,
      `${longText}b`,
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
    await expectRefused(() => store.compareAndSet(key("v"), undefined, 1n), "a value that is no JSON");
    expectEqual(await store.claim(key("huge"), { ttl: Number.MAX_SAFE_INTEGER }), true, "a huge ttl");
    expectEqual(await store.claim(key("huge")), false, "a claim with a huge ttl, again");
    expectEqual(await store.claim(key("k")), true, "the key, afterwards");
  }),
];
