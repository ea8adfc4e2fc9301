import { describe, expect, it } from "@jest/globals";
import type { Invocation } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { inProcessMemory, memory } from "@suite/memory";
import { Rig, Shelf } from "./support.js";

const nuts = { question: "I am allergic to nuts." };

describe("forgetting", () => {
  it("removes all that is known of a user, and nothing of another's", async () => {
    const remembering = memory({ store: inProcessMemory() });
    const rig = new Rig([remembering]);
    for (const user of ["ada", "ada", "bob"]) await rig.run(user, nuts);
    expect(await remembering.forget("ada")).toMatchObject({ count: 2 });
    expect((await rig.run("ada", nuts)).prompt).toBe("You help.");
    expect((await rig.run("bob", nuts)).prompt).toContain("allergic");
  });

  it("is one operation on the memory in a run of that user, which plugins see and may refuse", async () => {
    const store = new Shelf();
    const remembering = memory({ store });
    const seen: unknown[] = [];
    const watch = {
      name: "watch",
      async memory({ request, runtime }: Invocation<"memory">, callNext: () => Promise<void>) {
        seen.push(request, runtime.userId, runtime.runId);
        await callNext();
      },
    };
    const rig = new Rig([watch]);
    const { runId } = await remembering.forget("ada", { plugins: rig.stack.plugins });
    expect(seen).toEqual([{ operation: "delete_memory", store: "shelf" }, "ada", runId]);
    expect(rig.decisions).toEqual(["forgotten"]);
    const no = new Error("not today");
    const refuses = { name: "refuses", memory: () => Promise.reject(no) };
    await expect(remembering.forget("ada", { plugins: [refuses] })).rejects.toBe(no);
  });

  it("waits for what is being kept of the user", async () => {
    const store = new Shelf();
    const remembering = memory({ store });
    const rig = new Rig([remembering]);
    await rig.run("ada", nuts);
    expect(await remembering.forget("ada")).toMatchObject({ count: 1 });
    expect(store.kept).toEqual([]);
  });

  it("lets no reply that was under way bring the user back, nor one that was suspended then", async () => {
    const remembering = memory({ store: inProcessMemory() });
    const rig = new Rig([remembering]);
    await rig.run("ada", { ...nuts, meanwhile: () => remembering.forget("ada") });
    let saved: Readonly<Record<string, unknown>> = {};
    const save = (run: Run) => {
      saved = run.save();
    };
    await rig.run("ada", { ...nuts, ends: "suspended", meanwhile: save });
    await remembering.forget("ada");
    await rig.run("ada", { ...nuts, options: { durable: JSON.parse(JSON.stringify(saved)) } });
    await remembering.settled();
    expect((await rig.run("ada", nuts)).prompt).toBe("You help.");
    expect(rig.decisions.filter((each) => each === "not_remembered")).toHaveLength(2);
    await remembering.settled();
    expect((await rig.run("ada", nuts)).prompt).toContain("allergic"); // what was said afterwards is kept again
  });

  it("needs a name to separate the memories of users", async () => {
    const remembering = memory({ store: new Shelf() });
    await expect(remembering.forget("")).rejects.toMatchObject({ code: "ERR_MEMORY_USER" });
  });

  it("rejects with the store's own error", async () => {
    const store = new Shelf();
    store.fails = new Error("the store is down");
    await expect(memory({ store }).forget("ada")).rejects.toBe(store.fails);
  });
});
