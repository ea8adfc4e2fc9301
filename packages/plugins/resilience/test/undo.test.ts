import { describe, expect, it } from "@jest/globals";
import { PluginStack, type Run } from "@suite/core/adapter";
import type { UndoTool } from "@suite/core/contract";
import { memoryStateStore } from "@suite/kit/store";
import { type UndoOptions, undo } from "@suite/resilience";

/** A run whose tool `book` notes what was done and undone. */
function desk(options: UndoOptions = {}) {
  const done: string[] = [];
  const book: UndoTool = (input, result) => void done.push(`-${input} ${result}`);
  const store = options.store ?? memoryStateStore();
  const plugin = undo({ tools: { book }, ...options, store });
  const stack = new PluginStack([plugin]);
  const open = (runId?: string) => stack.begin(runId === undefined ? {} : { runId });
  const call = async (run: Run, id: string, fails?: Error) => {
    const request = { id, tool: { name: "book" }, input: id };
    const outcome = await stack.call("tool", run, request, async (invocation) => {
      if (fails !== undefined) throw fails;
      done.push(`+${id}`);
      invocation.respond({ value: `booked ${id}` });
    });
    return outcome.final();
  };
  /** The end of a run as its agent call has it. */
  const end = async (run: Run, how: "completed" | "failed" | "suspended") => {
    const outcome = await stack
      .call("agent", run, { messages: [] }, async (invocation) => {
        if (how === "failed") throw new Error("broken");
        if (how === "suspended") return invocation.respond({ suspended: [] });
        invocation.respond({ value: { message: { role: "assistant", parts: [] } } });
      })
      .catch(() => undefined);
    if (outcome !== undefined) for await (const each of outcome) expect(each).toBeDefined();
    await run.end();
  };
  return { done, store, plugin, stack, open, call, end };
}

describe("undo", () => {
  it("undoes the calls of a run that fails, the last one first, each with its result", async () => {
    const { done, open, call, end } = desk();
    const run = open();
    await call(run, "a");
    await call(run, "b");
    await end(run, "failed");
    expect(done).toEqual(["+a", "+b", "-b booked b", "-a booked a"]);
  });

  it("keeps the effects of a run that completes or waits, and undoes effects from before a wait", async () => {
    const { done, open, call, end, plugin } = desk();
    const well = open();
    await call(well, "a");
    await end(well, "completed");
    expect(await plugin.recover(well.runId)).toEqual([]);
    const waits = open();
    await call(waits, "b");
    await end(waits, "suspended");
    expect(done).toEqual(["+a", "+b"]);
    const resumed = open(waits.runId);
    await call(resumed, "c");
    await end(resumed, "failed");
    expect(done.slice(2)).toEqual(["+c", "-c booked c", "-b booked b"]);
  });

  it("undoes nothing for a call that failed by itself", async () => {
    const { done, open, call, end } = desk();
    const run = open();
    await expect(call(run, "a", new Error("sold out"))).rejects.toThrow("sold out");
    await end(run, "failed");
    expect(done).toEqual([]);
  });

  it("undoes each call once, also if several processes recover its run at once", async () => {
    const { done, open, call, plugin, store } = desk();
    const run = open();
    await call(run, "a");
    await call(run, "b");
    const others = [desk({ store }), desk({ store })];
    const all = await Promise.all(
      [plugin, ...others.map((each) => each.plugin)].map((each) => each.recover(run.runId)),
    );
    const undone = [...done, ...others.flatMap((each) => each.done)].filter((each) => each.startsWith("-"));
    expect(undone.sort()).toEqual(["-a booked a", "-b booked b"]);
    expect(all.flat().filter(({ outcome }) => outcome === "undone")).toHaveLength(2);
    expect(all.flat().every(({ outcome }) => outcome === "undone" || outcome === "elsewhere")).toBe(true);
  });

  it("takes the methods of a class as the ways in which tools are undone", async () => {
    const done: unknown[] = [];
    class Ways {
      readonly #list = done;
      book(input: unknown) {
        this.#list.push(input);
      }
    }
    const { open, call, plugin } = desk({ tools: new Ways() as never });
    const run = open();
    await call(run, "a");
    await plugin.recover(run.runId);
    expect(done).toEqual(["a"]);
  });

  it("refuses the next call of a run that was undone, and runs no tool", async () => {
    const { done, open, call, plugin } = desk();
    const run = open();
    await call(run, "a");
    await plugin.recover(run.runId);
    await expect(call(run, "b")).rejects.toMatchObject({ code: "ERR_RESILIENCE_UNDONE" });
    expect(done).toEqual(["+a", "-a booked a"]);
    expect(await plugin.recover(run.runId)).toEqual([]);
  });

  it("reports a call whose end is not known, or undoes it without a result", async () => {
    for (const unknown of ["report", "undo"] as const) {
      const { done, open, stack, plugin } = desk({ unknown });
      const run = open();
      const never = new Promise<void>(() => {});
      const request = { id: "a", tool: { name: "book" }, input: "a" };
      void stack.call("tool", run, request, () => never).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20)); // the note is written before the tool is called
      const results = await plugin.recover(run.runId);
      expect(results).toEqual([
        { toolCallId: "a", tool: "book", outcome: unknown === "report" ? "unknown" : "undone" },
      ]);
      expect(done).toEqual(unknown === "report" ? [] : ["-a undefined"]);
    }
  });

  it("goes on with the others if one undo fails, and does not begin that one again", async () => {
    let tries = 0;
    const done: unknown[] = [];
    const book: UndoTool = (input) => {
      if (input === "b" && ++tries > 0) throw new Error("too late");
      done.push(input);
    };
    const { open, call, plugin } = desk({ tools: { book } });
    const run = open();
    for (const id of ["a", "b", "c"]) await call(run, id);
    const outcomes = async () =>
      (await plugin.recover(run.runId)).map(({ toolCallId, outcome }) => [toolCallId, outcome]);
    expect(await outcomes()).toEqual([
      ["c", "undone"],
      ["b", "failed"],
      ["a", "undone"],
    ]);
    expect(await outcomes()).toEqual([["b", "failed"]]);
    expect([done, tries]).toEqual([["c", "a"], 1]);
  });
});
