import { describe, expect, it } from "@jest/globals";
import { definePlugin, type Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { answers, codeOf, request } from "./support.js";

const named = (name: string, single = false): Plugin => ({ name, ...(single && { single }) });
const namesOf = (stack: PluginStack): readonly string[] => stack.plugins.map(({ name }) => name);

describe("a stack of plugins", () => {
  it("appends further plugins innermost, and stays what it was itself", async () => {
    const log: string[] = [];
    const note = (name: string): Plugin => ({
      name,
      async model(_invocation, callNext) {
        log.push(name);
        await callNext();
      },
    });
    const outer = new PluginStack([note("agent's")]);
    const both = outer.append([note("call's")]);
    const run = both.begin();
    await both.call("model", run, request, answers("a"));
    await outer.call("model", run, request, answers("a"));
    expect(log).toEqual(["agent's", "call's", "agent's"]);
  });

  it("is itself where nothing is appended", () => {
    const stack = new PluginStack([named("a")]);
    expect(stack.append([])).toBe(stack);
  });

  it("has the same plugin once, however often it is given", () => {
    const plugin = named("a");
    expect(namesOf(new PluginStack([plugin, plugin, named("b")]).append([plugin]))).toEqual(["a", "b"]);
  });

  it("accepts two plugins of one name if they are not marked as single", () => {
    expect(namesOf(new PluginStack([named("pii"), named("pii")]))).toEqual(["pii", "pii"]);
  });

  it("has of single plugins of one name only the later one, in the earlier one's place", () => {
    const later = named("tracing", true);
    const stack = new PluginStack([named("tracing", true), named("pii"), later]);
    expect(namesOf(stack)).toEqual(["tracing", "pii"]);
    expect(stack.plugins[0]).toBe(later);
    expect(namesOf(new PluginStack([named("tracing"), later]))).toEqual(["tracing", "tracing"]);
  });

  it("does not follow changes of the list it was given", () => {
    const list = [named("a")];
    const stack = new PluginStack(list);
    list.push(named("b"));
    expect(namesOf(stack)).toEqual(["a"]);
  });

  it("closes every plugin, also when one fails, and then tells of the first failure", async () => {
    const closed: string[] = [];
    const closes = (name: string, fails = false): Plugin => ({
      name,
      async close() {
        closed.push(name);
        if (fails) throw new Error(name);
      },
    });
    const sync: Plugin = {
      name: "sync",
      close() {
        throw new Error("sync");
      },
    };
    const stack = new PluginStack([
      closes("1"),
      closes("2", true),
      named("none"),
      sync,
      closes("3", true),
      closes("4"),
    ]);
    await expect(stack.close()).rejects.toThrow("2");
    expect(closed).toEqual(["1", "2", "3", "4"]);
    await new PluginStack([closes("5")]).close();
    expect(closed).toContain("5");
  });
});

describe("what is not a plugin", () => {
  const tracing = (): Plugin => named("tracing");
  const refused: readonly [what: string, plugins: unknown, message: RegExp][] = [
    ["no list", named("a"), /must be a list/],
    ["a function that makes one", [named("a"), tracing], /Plugin 1 is a function.*Call it/],
    ["null", [null], /Plugin 0 is not an object/],
    ["a string", ["tracing"], /Plugin 0 is not an object/],
    ["without a name", [{ model() {} }], /Plugin 0 has no name/],
    ["with a hook that is no function", [{ name: "a", tool: "yes" }], /tool of plugin a is not a function/],
    ["with a hook that is null", [{ name: "a", observe: null }], /observe of plugin a is not a function/],
    ["with an object whose process is none", [{ name: "a", model: { process: 1 } }], /model of plugin a/],
    ["with a begin that is none", [{ name: "a", begin: {} }], /begin of plugin a/],
    ["with a close that is none", [{ name: "a", close: true }], /close of plugin a/],
    ["with a hook that may go unserved and is none", [{ name: "a", whereOffered: ["tol"] }], /whereOffered.*"tol"/],
    ["with one of several hooks that is none", [{ name: "a", oneOf: ["reasonning", "model"] }], /oneOf.*"reasonning"/],
  ];

  it.each(refused)("is refused with its position and type: %s", async (_what, plugins, message) => {
    const make = async (): Promise<PluginStack> => new PluginStack(plugins as readonly Plugin[]);
    await expect(make()).rejects.toThrow(message);
    expect(await codeOf(make())).toBe("ERR_INVALID_PLUGIN");
    const append = async (): Promise<PluginStack> => new PluginStack().append(plugins as readonly Plugin[]);
    if (Array.isArray(plugins)) expect(await codeOf(append())).toBe("ERR_INVALID_PLUGIN");
  });

  it("does not include hooks that are undefined, or objects with process", () => {
    const process = async (): Promise<void> => {};
    const plugin = { name: "a", model: { process }, tool: undefined } as unknown as Plugin;
    expect(new PluginStack([plugin]).has.model).toBe(true);
    expect(new PluginStack([plugin]).has.tool).toBe(false);
  });
});

describe("definePlugin", () => {
  it("gives the plugin back itself", () => {
    const plugin = { name: "a" } as const;
    const defined: { readonly name: "a" } = definePlugin(plugin);
    expect(defined).toBe(plugin);
  });
});
