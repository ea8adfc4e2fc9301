import { sleep } from "@suite/kit/time";
import { expectEqual, expectThat } from "../expect.js";
import { atOnce, expectExpired, longText, type StoreScenario, scenario, short } from "./scenario.js";

/** The promises of every store about values and their versions. */
export const valueScenarios: readonly StoreScenario[] = [
  scenario("a value is kept as JSON, and is not the caller's object", async (store, key) => {
    const createValue = () => ({ list: [1, "é👋", null, { __proto: true }], text: "a'b\"c\\d" });
    const value = createValue();
    expectEqual(await store.get(key("v")), undefined, "a key that was never set");
    expectEqual(await store.compareAndSet(key("v"), undefined, value), true, "the first value");
    value.list.push("mine");
    const stored = await store.get(key("v"));
    expectEqual(stored?.value, createValue(), "the value, after its writer changed its own");
    (stored as { value: typeof value }).value.list.push("mine");
    expectEqual((await store.get(key("v")))?.value, createValue(), "the value, after a reader changed its own");
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
    const results = await atOnce(all, (each) => each.compareAndSet(key("v"), version, "mine"));
    expectEqual(results.filter((replaced) => replaced).length, 1, "how many replaced it");
  }),

  scenario("any JSON is kept as it is", async (store, key) => {
    const values = [
      null,
      "12",
      "",
      "null",
      "-0",
      12,
      1e308,
      5e-324,
      false,
      [],
      {},
      [null],
      "a\u0000b",
      "\ud800",
      "é👋",
      longText,
    ];
    for (const [index, value] of values.entries()) {
      expectEqual(await store.compareAndSet(key(`${index}`), undefined, value), true, "the first value");
    }
    for (const [index, value] of values.entries()) {
      const stored = await store.get(key(`${index}`));
      expectThat(stored !== undefined, `value ${index} is gone`);
      expectEqual(stored?.value, value, `value ${index}`);
      expectThat(typeof stored?.value === typeof value, `value ${index} is of another type`);
    }
  }),

  scenario("a value that is replaced has the lifetime of the new one", async (store, key) => {
    await store.compareAndSet(key("v"), undefined, 1, { ttl: short });
    await store.compareAndSet(key("w"), undefined, 1);
    await store.compareAndSet(key("v"), (await store.get(key("v")))?.version, 2);
    await store.compareAndSet(key("w"), (await store.get(key("w")))?.version, 2, { ttl: short });
    await expectExpired(async () => (await store.get(key("w"))) === undefined, "the value that was given a ttl");
    await sleep(short / 5);
    expectEqual((await store.get(key("v")))?.value, 2, "the value that was given none");
  }),

  scenario("a removal needs the version as well", async (store, key) => {
    await store.compareAndSet(key("v"), undefined, 1);
    const first = (await store.get(key("v")))?.version;
    await store.compareAndSet(key("v"), first, 2);
    expectEqual(await store.compareAndSet(key("v"), first, undefined), false, "a removal by an old version");
    expectEqual(await store.compareAndSet(key("v"), undefined, undefined), false, "a removal of what is not there");
    for (const unknown of ["", "0", "x".repeat(2000), "\u0000", "'"]) {
      expectEqual(await store.compareAndSet(key("v"), unknown, 3), false, "a value for a version that never was");
    }
    expectEqual((await store.get(key("v")))?.value, 2, "the value");
    expectEqual(await store.compareAndSet(key("never"), undefined, undefined), true, "a removal where there is none");
    expectEqual(await store.get(key("never")), undefined, "what was never set");
  }),
];
