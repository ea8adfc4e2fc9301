import { expectEqual } from "../expect.js";
import { atOnce, expectRefused, type StoreScenario, scenario } from "./scenario.js";

/** The promises of every store about counters. */
export const counterScenarios: readonly StoreScenario[] = [
  scenario("a counter adds up, and never passes its maximum", async (store, key) => {
    expectEqual(await store.add(key("c"), 3, { maximum: 10 }), { added: true, total: 3 }, "the first amount");
    expectEqual(await store.add(key("c"), 8, { maximum: 10 }), { added: false, total: 3 }, "an amount too many");
    expectEqual(await store.add(key("c"), 7, { maximum: 10 }), { added: true, total: 10 }, "an amount up to it");
    expectEqual(await store.add(key("c"), -4, { maximum: 5 }), { added: true, total: 6 }, "an amount given back");
    expectEqual(await store.add(key("c"), 0), { added: true, total: 6 }, "nothing, which reads it");
    expectEqual(await store.add(key("c"), 2 ** 40), { added: true, total: 2 ** 40 + 6 }, "a large amount");
  }),

  scenario("of many who add at once, as many succeed as fit", async (store, key, all) => {
    const results = await atOnce(all, (each) => each.add(key("c"), 2, { maximum: 31 }));
    expectEqual(results.filter(({ added }) => added).length, 15, "how many were added");
    expectEqual((await store.add(key("c"), 0)).total, 30, "the total");
  }),

  scenario("an amount that is refused begins no counter, and totals may be negative", async (store, key) => {
    expectEqual(
      await store.add(key("c"), 5, { maximum: 4, ttl: 60_000 }),
      { added: false, total: 0 },
      "an amount too many",
    );
    expectEqual(await store.claim(key("c")), true, "a claim of the key that holds nothing");
    expectEqual(await store.add(key("n"), -5), { added: true, total: -5 }, "an amount given back to nothing");
    expectEqual(await store.add(key("n"), 2, { maximum: -4 }), { added: false, total: -5 }, "a negative maximum");
    expectEqual(await store.add(key("n"), 1, { maximum: -4 }), { added: true, total: -4 }, "an amount up to it");
  }),

  scenario(
    "a counter that expires says when, or nothing, and by one clock for all who ask",
    async (store, key, all) => {
      const ttl = 60_000;
      const { expiresIn: begun } = await store.add(key("c"), 1, { ttl });
      if (begun === undefined) return;
      const others = await Promise.all(all.map((each) => each.add(key("c"), 5, { ttl: 2 * ttl, maximum: 3 })));
      const expiries = [begun, ...others.map(({ expiresIn }) => expiresIn ?? Number.NaN)];
      const sound = (expiresIn: number) => expiresIn > ttl / 2 && expiresIn <= ttl;
      expectEqual(
        expiries.filter((expiresIn) => !sound(expiresIn)),
        [],
        "what is none of the time that is left",
      );
      expectEqual((await store.add(key("n"), 1)).expiresIn, undefined, "the time of one that never expires");
    },
  ),

  scenario("a total that is no safe integer is refused, and nothing is added", async (store, key) => {
    const most = Number.MAX_SAFE_INTEGER;
    expectEqual(await store.add(key("c"), most), { added: true, total: most }, "the greatest total");
    await expectRefused(() => store.add(key("c"), 1), "one more");
    await expectRefused(() => store.add(key("c"), most), "as much again");
    expectEqual(
      await store.add(key("c"), most, { maximum: most }),
      { added: false, total: most },
      "more than a maximum",
    );
    expectEqual(await store.add(key("c"), -1), { added: true, total: most - 1 }, "one less");
    expectEqual(await store.add(key("n"), -most), { added: true, total: -most }, "the least total");
    await expectRefused(() => store.add(key("n"), -1), "one less than that");
    expectEqual(await store.add(key("n"), most), { added: true, total: 0 }, "the total");
  }),
];
