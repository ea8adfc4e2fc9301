import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "@jest/globals";
import { type Plugin, type RuntimeContext, stateKey, Values } from "@suite/core";
import { defineAdapter, PluginStack, type WithPluginsOptions } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import { codeOf } from "./support.js";

const idsIn = ({ userId, sessionId, tenantId }: RuntimeContext) => [userId, sessionId, tenantId];

/** Notes the ids of each run that begins. */
function noting() {
  const seen: unknown[] = [];
  const plugin: Plugin = { name: "noting", begin: (runtime) => void seen.push(idsIn(runtime)) };
  return { seen, plugin };
}

/** A framework of one function, which is called in a run. */
const withPlugins = defineAdapter({
  name: "@suite/example",
  serves: ["model"],
  attach: (target: { ask(): Promise<string> }, stack) => {
    const runs = new FrameworkRuns(stack);
    return { ask: () => runs.direct("model", () => target.ask(), { sessionId: "the framework's" }) };
  },
});
const target = { ask: async () => "answer" };

describe("the option run of withPlugins", () => {
  it("sets the ids of each run, and is read once per run in the calling context", async () => {
    const { seen, plugin } = noting();
    const request = new AsyncLocalStorage<string>();
    const wrapped = withPlugins(target, [plugin], { run: () => ({ userId: request.getStore(), tenantId: "acme" }) });
    await Promise.all(["ada", "bob"].map((user) => request.run(user, () => wrapped.ask())));
    expect(seen).toEqual([
      ["ada", "the framework's", "acme"],
      ["bob", "the framework's", "acme"],
    ]);
  });

  it("goes before what the framework knows, and undefined leaves that", async () => {
    const { seen, plugin } = noting();
    await withPlugins(target, [plugin], { run: () => ({ sessionId: "mine" }) }).ask();
    await withPlugins(target, [plugin], { run: () => undefined }).ask();
    expect(seen).toEqual([
      [undefined, "mine", undefined],
      [undefined, "the framework's", undefined],
    ]);
  });

  it("stays when the target is wrapped again, until another one replaces it", async () => {
    const { seen, plugin } = noting();
    const once = withPlugins(target, [plugin], { run: () => ({ userId: "first" }) });
    const twice = withPlugins(once, [{ name: "other", begin() {} }]);
    await twice.ask();
    await withPlugins(twice, [], { run: () => ({ userId: "second" }) }).ask();
    expect(seen.map((ids) => (ids as unknown[])[0])).toEqual(["first", "second"]);
  });

  it("sets values before the first `begin`, next to those of the framework", async () => {
    const plan = stateKey<string>("plan", () => "free");
    const seen: string[] = [];
    const plugin: Plugin = { name: "plan", begin: (runtime) => void seen.push(runtime.get(plan)) };
    await withPlugins(target, [plugin], { run: () => ({ values: new Values().set(plan, "paid") }) }).ask();
    expect(seen).toEqual(["paid"]);
  });

  it("fails the call with what it throws, and the framework is not called", async () => {
    const refused = new Error("not signed in");
    let called = 0;
    const counted = { ask: async () => String(called++) };
    const { plugin, seen } = noting();
    const run = () => {
      throw refused;
    };
    const wrapped = withPlugins(counted, [plugin], { run });
    expect(() => wrapped.ask()).toThrow(refused);
    expect([called, seen]).toEqual([0, []]);
  });

  it.each<[string, unknown]>([
    ["an unknown field", { userID: "ada" }],
    ["an empty id", { userId: "" }],
    ["a number", { sessionId: 7 }],
    ["null", { tenantId: null }],
    ["a promise", Promise.reject(new Error("late"))],
    ["a string", "ada"],
    ["values that are no pairs", { values: 1 }],
  ])("is refused when it returns %s, without the value in the message", async (_, result) => {
    const wrapped = withPlugins(target, [noting().plugin], { run: () => result as never });
    const error = await Promise.resolve()
      .then(() => wrapped.ask())
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ERR_INVALID_OPTION" });
    expect(String(error)).not.toMatch(/ada|7/);
  });

  it.each<[string, unknown]>([
    ["an unknown option", { user: () => ({}) }],
    ["ids in place of a function", { run: { userId: "ada" } }],
    ["a string", "ada"],
  ])("withPlugins refuses %s", async (_, options) => {
    const wrap = async () => withPlugins(target, [noting().plugin], options as WithPluginsOptions);
    expect(await codeOf(wrap())).toBe("ERR_INVALID_OPTION");
  });
});

describe("the ids of a run within another", () => {
  it("are those of the outer run if neither the framework nor `run` gives any", async () => {
    const outer = new FrameworkRuns(new PluginStack([{ name: "outer", begin() {} }]));
    const { seen, plugin } = noting();
    const inner = withPlugins(target, [plugin]);
    const ids = { userId: "ada", sessionId: "s", tenantId: "acme" };
    await outer.direct("tool", () => inner.ask(), ids);
    await outer.direct("tool", () => withPlugins(target, [plugin], { run: () => ({ userId: "bot" }) }).ask(), ids);
    expect(seen).toEqual([
      ["ada", "the framework's", "acme"],
      ["bot", "the framework's", "acme"],
    ]);
  });
});
