import { describe, expect, it } from "@jest/globals";
import type { Run } from "@suite/core/adapter";
import { type MemoryPlugin, memory } from "@suite/memory";
import { Rig, Shelf } from "./support.js";

/** Calls a tool of the plugin within a run. */
const calling = (remembering: MemoryPlugin, name: string, input: unknown, said: unknown[]) => ({
  async meanwhile(run: Run) {
    const tool = remembering.tools().find((each) => each.name === name);
    said.push(await tool?.execute?.(input, run, run.identify("tool", undefined)));
  },
});

describe("the tools of a memory", () => {
  it("are offered in their modes, and announced in the system prompt", async () => {
    const names = (mode: "automatic" | "tools" | "both") =>
      memory({ store: new Shelf(), mode })
        .tools()
        .map(({ name }) => name);
    expect(names("automatic")).toEqual([]);
    for (const mode of ["tools", "both"] as const) expect(names(mode)).toEqual(["search_memory", "add_memory"]);
    const rig = new Rig([memory({ store: new Shelf(), mode: "tools" })]);
    expect((await rig.run("ada")).prompt).toContain("keep with `add_memory`");
    const own = new Rig([memory({ store: new Shelf(), mode: "tools", prompt: "You remember." })]);
    expect((await own.run("ada")).prompt).toBe("You help.\n\n## Memory\nYou remember.");
  });

  it("keep and find, of the run's user alone, and nothing by itself in the mode `tools`", async () => {
    const store = new Shelf();
    store.kept.push({ user: "bob", content: "likes coffee" });
    const remembering = memory({ store, mode: "tools" });
    const rig = new Rig([remembering]);
    const said: unknown[] = [];
    const add = { content: ["likes tea", "lives in Turin"], user: "bob" };
    await rig.run("ada", calling(remembering, "add_memory", add, said));
    await rig.run("ada", calling(remembering, "search_memory", { query: "drinks", user: "bob" }, said));
    await remembering.settled();
    expect(said).toEqual(["It is kept.", "- likes tea\n- lives in Turin"]);
    expect(store.asked).toEqual(["drinks"]);
    expect(store.kept).toHaveLength(3);
    expect(rig.decisions).toEqual(["remembered", "recalled"]);
  });

  it.each([{}, { content: [] }, { content: [1] }, { content: [" "] }, { content: ["x".repeat(5000)] }, null])(
    "keep nothing of what is no list of texts: %j",
    async (input) => {
      const store = new Shelf();
      const remembering = memory({ store, mode: "tools" });
      const said: unknown[] = [];
      await new Rig([remembering]).run("ada", calling(remembering, "add_memory", input, said));
      expect(said).toEqual([expect.stringContaining("Nothing was stored.")]);
      expect(store.kept).toEqual([]);
    },
  );

  it("tell the model that the store failed, or fail", async () => {
    const store = new Shelf();
    store.fails = new Error("down");
    const said: unknown[] = [];
    for (const onError of ["open", "closed"] as const) {
      const remembering = memory({ store, mode: "tools", onError });
      const rig = new Rig([remembering]);
      const ran = await rig.run("ada", calling(remembering, "search_memory", { query: "tea" }, said));
      expect(ran.error).toBe(onError === "open" ? undefined : store.fails);
      expect(rig.decisions).toEqual([`fail_${onError}`]);
    }
    expect(said).toEqual(["The memory could not be searched."]);
  });

  it("have nothing to do where there is no memory", async () => {
    const remembering = memory({ store: new Shelf(), mode: "tools", whenNoUser: "skip" });
    const said: unknown[] = [];
    await new Rig([remembering]).run(undefined, calling(remembering, "search_memory", { query: "tea" }, said));
    expect(said).toEqual(["There is no memory in this conversation."]);
  });
});
