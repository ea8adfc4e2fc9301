import { describe, expect, it } from "@jest/globals";
import {
  type CallNext,
  definePlugin,
  type Invocation,
  MiddlewareTermination,
  type Plugin,
  type Reply,
  stateKey,
} from "@suite/core";
import { actScenarios, describePlugin, type PluginAct } from "@suite/testkit";

type Model = Invocation<"model">;

const closed: Reply = { message: { role: "assistant", parts: [{ type: "text", content: "That is all." }] } };

interface Options {
  readonly maximum: number;
  readonly exceeded?: "end" | "error";
  readonly enforced?: boolean;
}

/** A limit of model calls for each run. `breaks` takes one of its promises away. */
function limit({ maximum, exceeded = "end", enforced = true }: Options, breaks?: string): Plugin {
  const durable = breaks === "forgets" ? undefined : { save: (count: number) => count, load: Number };
  const used = stateKey("limit.used", () => 0, durable);
  let common = 0;
  return definePlugin({
    name: "limit",
    async model(invocation: Model, callNext: CallNext) {
      const { runtime, call } = invocation;
      const count = breaks === "counts for all runs" ? ++common : runtime.get(used) + 1;
      runtime.set(used, count);
      if (count <= (breaks === "acts late" ? maximum + 1 : maximum)) return callNext();
      if (breaks !== "tells nothing") {
        runtime.notify({ type: "limit", limit: "model_calls", maximum, plugin: "limit", enforced, call });
      }
      if (!enforced) return breaks === "acts in monitor mode" ? invocation.respond({ value: closed }) : callNext();
      if (exceeded === "error") throw new MiddlewareTermination("No more model calls.");
      invocation.respond({ value: closed });
    },
  });
}

/** A cache of answers by request, common to all runs. */
function cache(breaks?: string): Plugin {
  const known = new Map<string, Reply>();
  return definePlugin({
    name: "cache",
    async model(invocation: Model, callNext: CallNext) {
      const key = JSON.stringify(invocation.request);
      const reply = known.get(key);
      if (reply !== undefined) {
        invocation.runtime.notify({ type: "decision", plugin: "cache", decision: "hit", enforced: true });
        return invocation.respond({ value: breaks === "another answer" ? closed : reply });
      }
      try {
        await callNext();
      } catch (error) {
        throw breaks === "wraps errors" ? new Error("The cache failed.", { cause: error }) : error;
      }
      invocation.pipe({
        settle(settlement) {
          if (settlement.status === "completed" && breaks !== "keeps nothing") known.set(key, settlement.final);
        },
      });
    },
  });
}

/** Asks a person before each call of a tool. */
const approval = (breaks?: string): Plugin =>
  definePlugin({
    name: "approval",
    async tool(invocation, callNext) {
      const { id, tool, input } = invocation.request;
      if (breaks === "lets it run") return callNext();
      const part = { type: "tool_call" as const, id, name: tool.name, arguments: input };
      invocation.respond({ suspended: [{ reason: "approval", part }] });
    },
  });

const acts: Readonly<Record<string, (breaks?: string) => PluginAct>> = {
  "a limit that ends": (breaks) => ({
    name: "ends at its limit",
    kind: "model",
    after: 2,
    by: "answer",
    durable: true,
    create: () => limit({ maximum: 2 }, breaks),
    monitor: () => limit({ maximum: 2, enforced: false }, breaks),
    is: (given) => given === closed,
  }),
  "a limit that throws": (breaks) => ({
    name: "refuses at its limit",
    kind: "model",
    after: 2,
    by: "error",
    durable: true,
    create: () => limit({ maximum: 2, exceeded: "error" }, breaks),
    is: (given) => MiddlewareTermination.is(given),
  }),
  "a cache": (breaks) => ({
    name: "answers what it knows",
    kind: "model",
    after: 1,
    by: "answer",
    shared: true,
    create: () => cache(breaks),
    is: (given) => (given as Reply).finishReason === "tool_call",
  }),
  "an approval": (breaks) => ({
    name: "asks a person",
    kind: "tool",
    after: 0,
    by: "suspension",
    create: () => approval(breaks),
    is: (given) => (given as readonly { reason: string }[])[0]?.reason === "approval",
  }),
};

const harmless: Readonly<Record<string, () => Plugin>> = {
  "a limit that ends": () => limit({ maximum: 1000 }),
  "a limit that throws": () => limit({ maximum: 1000, exceeded: "error" }),
  // What it has once kept it answers by itself, so that most calls of the contract never reach the core.
  "a cache": () => definePlugin({ name: "cache" }),
  "an approval": () => definePlugin({ name: "approval" }),
};

for (const [name, act] of Object.entries(acts)) {
  describePlugin(name, { create: harmless[name] ?? (() => limit({ maximum: 1000 })), acts: [act()] }, { describe, it });
}

describe("the contract of plugins that act finds", () => {
  it.each([
    ["a limit that ends", "acts late", "plain"],
    ["a limit that ends", "acts late", "streamed"],
    ["a limit that ends", "tells nothing", "tells its decision"],
    ["a limit that ends", "counts for all runs", "begins anew in each run"],
    ["a limit that throws", "forgets", "goes on where it was"],
    ["a limit that throws", "acts late", "plain"],
    ["a limit that ends", "acts in monitor mode", "monitor mode"],
    ["a cache", "another answer", "plain"],
    ["a cache", "keeps nothing", "streamed"],
    ["a cache", "wraps errors", "leaves the errors"],
    ["an approval", "lets it run", "plain"],
  ])("%s that %s", async (name, breaks, scenario) => {
    const found = actScenarios.find((each) => each.name.includes(scenario));
    const act = acts[name]?.(breaks) as PluginAct;
    expect(found?.applies(act)).toBe(true);
    await expect(found?.run(act)).rejects.toMatchObject({ code: "ERR_TESTKIT_EXPECTATION" });
  });
});
