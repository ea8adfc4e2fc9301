import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { definePlugin, MiddlewareTermination } from "@suite/core";
import { call, codeOf, scripted, shown } from "./support.js";

const five = [0, 1, 2, 3, 4].map((n) => call(`${n}`, "work", { n }));

describe("how many tool calls are at work at a time", () => {
  it.each([
    [1, 1],
    [2, 2],
    [undefined, 5],
  ])("is limited by maxParallelTools: %s", async (maxParallelTools, most) => {
    const started: number[] = [];
    let atWork = 0;
    let highest = 0;
    const work = defineTool({
      name: "work",
      async execute(input: unknown) {
        const { n } = input as { n: number };
        started.push(n);
        highest = Math.max(highest, ++atWork);
        await turn();
        atWork--;
        if (n === 1) throw new Error("no");
        return n;
      },
    });
    const model = scripted(five, "done");
    const limit = maxParallelTools === undefined ? {} : { maxParallelTools };
    await createAgent({ name: "a", model, tools: [work], ...limit }).run("x");
    expect(highest).toBe(most);
    expect(started).toEqual([0, 1, 2, 3, 4]);
    expect(shown(model.asked[1])).toEqual([0, "work failed: no", 2, 3, 4]);
  });

  it("lets nothing begin once a layer has ended the run", async () => {
    let ran = 0;
    const work = defineTool({ name: "work", execute: () => ran++ });
    const ends = definePlugin({
      name: "ends",
      async tool() {
        await turn();
        throw new MiddlewareTermination("enough");
      },
    });
    let calls = 0;
    const counts = definePlugin({
      name: "counts",
      async tool(_invocation, callNext) {
        calls++;
        await callNext();
      },
    });
    const options = { name: "a", model: scripted(five), tools: [work], maxParallelTools: 1 };
    const agent = createAgent({ ...options, plugins: [counts, ends] });
    expect(await codeOf(agent.run("x"))).toBe("ERR_MIDDLEWARE_TERMINATED");
    expect([calls, ran]).toEqual([1, 0]);
  });

  it("must be a whole number from 1 up", () => {
    for (const maxParallelTools of [0, 1.5, Number.NaN]) {
      expect(() => createAgent({ name: "a", model: scripted(), maxParallelTools })).toThrow("maxParallelTools");
    }
  });
});
