import { describe, expect, it } from "@jest/globals";
import { message, textOf } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import fc from "fast-check";
import { Histories } from "../src/conversations/history.js";

const user = "ada";
const began = Date.now();
const said = (text: string) => message("user", text);
const open = (bounds = {}) => new Histories(memoryStateStore(), "c", undefined, bounds);
const texts = async (histories: Histories) => (await histories.read("s", user)).messages.map(textOf);

describe("a conversation in a store", () => {
  it("is replaced by a summary of a run that read all of it", async () => {
    const histories = open();
    await histories.append("s", { user, own: [said("1"), said("2")], replaced: undefined, version: undefined, began });
    const { version } = await histories.read("s", user);
    await histories.append("s", { user, own: [said("3")], replaced: [said("summary"), said("3")], version, began });
    expect(await texts(histories)).toEqual(["summary", "3"]);
  });

  it("keeps what another run has written meanwhile instead of being replaced by a summary", async () => {
    const histories = open();
    await histories.append("s", { user, own: [said("1")], replaced: undefined, version: undefined, began });
    const { version } = await histories.read("s", user);
    await histories.append("s", { user, own: [said("2")], replaced: undefined, version, began });
    await histories.append("s", { user, own: [said("3")], replaced: [said("summary"), said("3")], version, began });
    expect(await texts(histories)).toEqual(["1", "2", "3"]);
  });

  it("contains each run once and whole, however many end at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (many) => {
        const histories = open();
        const runs = Array.from({ length: many }, (_, each) => [said(`q${each}`), message("assistant", `a${each}`)]);
        await Promise.all(
          runs.map((own) => histories.append("s", { user, own, replaced: undefined, version: undefined, began })),
        );
        const all = await texts(histories);
        expect([...all].sort()).toEqual(runs.flat().map(textOf).sort());
        for (const [at, each] of all.entries()) {
          if (each.startsWith("q")) expect(all[at + 1]).toBe(each.replace("q", "a"));
        }
      }),
      { numRuns: 20 },
    );
  });

  it("is its user's: no other user reads it, or adds to it", async () => {
    const histories = open();
    await histories.append("s", { user, own: [said("1")], replaced: undefined, version: undefined, began });
    const refused = { code: "ERR_MEMORY_USER" };
    for (const other of ["eve", undefined]) {
      await expect(histories.read("s", other)).rejects.toMatchObject(refused);
      const turn = { user: other, own: [said("2")], replaced: undefined, version: undefined, began };
      await expect(histories.append("s", turn)).rejects.toMatchObject(refused);
    }
    expect(await texts(histories)).toEqual(["1"]);
  });

  it("keeps the newest within its bounds, and tells if a run is too large", async () => {
    const histories = open({ maxMessages: 2 });
    const turn = (own: ReturnType<typeof said>[]) => ({ user, own, replaced: undefined, version: undefined, began });
    await histories.append("s", turn([said("1"), message("assistant", "one")]));
    expect(await histories.append("s", turn([said("2"), message("assistant", "two")]))).toBe("kept");
    expect(await texts(histories)).toEqual(["2", "two"]);
    const long = [said("3"), message("assistant", "a"), message("assistant", "b")];
    expect(await histories.append("s", turn(long))).toBe("too_large");
    expect(await texts(histories)).toEqual(["2", "two"]);
  });

  it("is forgotten, and refuses an entry of another kind", async () => {
    const store = memoryStateStore();
    const histories = new Histories(store, "c", undefined, {});
    await histories.append("s", { user, own: [said("1")], replaced: undefined, version: undefined, began });
    await histories.forget("s");
    expect(await texts(histories)).toEqual([]);
    await store.compareAndSet("c:s", undefined, { messages: "no" });
    await expect(histories.read("s", user)).rejects.toMatchObject({ code: "ERR_MEMORY_ANSWER" });
  });
});
