import { describe, expect, it } from "@jest/globals";
import type { Plugin, RuntimeContext } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { codeOf, sleep } from "./support.js";

const offers = (...names: string[]): Plugin => ({ name: "offers", tools: () => names.map((name) => ({ name })) });

describe("the tools that plugins offer", () => {
  it("are collected in the order of plugins, whichever is ready first", async () => {
    const slow: Plugin = {
      name: "slow",
      async tools() {
        await sleep(5);
        return [{ name: "b" }];
      },
    };
    const stack = new PluginStack([offers("a"), slow, { name: "none" }, offers("c", "d"), offers()]);
    expect((await stack.tools(stack.begin())).map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  });

  it("are none where no plugin offers any", async () => {
    const stack = new PluginStack([{ name: "none" }]);
    expect(await stack.tools(stack.begin())).toEqual([]);
  });

  it("are collected by the caller: nothing calls them by itself", async () => {
    let executed = 0;
    const plugin: Plugin = { name: "p", tools: () => [{ name: "t", execute: () => executed++ }] };
    const stack = new PluginStack([plugin]);
    const run = stack.begin();
    const [tool] = await stack.tools(run);
    expect(executed).toBe(0);
    tool?.execute?.({}, run, { id: "1", kind: "tool" });
    expect(executed).toBe(1);
  });

  it("are asked for with the run at hand, and with the plugin as this", async () => {
    let seen: RuntimeContext | undefined;
    const plugin = {
      name: "p",
      prefix: "my-",
      tools(runtime: RuntimeContext) {
        seen = runtime;
        return [{ name: `${this.prefix}tool` }];
      },
    };
    const stack = new PluginStack([plugin]);
    const run = stack.begin();
    expect([await stack.tools(run), seen === run]).toEqual([[{ name: "my-tool" }], true]);
  });

  it("reject with what a source throws, unchanged", async () => {
    const error = new Error("theirs");
    const fails: Plugin = {
      name: "fails",
      tools() {
        throw error;
      },
    };
    const stack = new PluginStack([offers("a"), fails]);
    expect(await codeOf(stack.tools(stack.begin()))).toBe(error);
  });
});
