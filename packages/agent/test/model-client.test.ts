import { describe, expect, it } from "@jest/globals";
import { createAgent, type Model } from "@suite/agent";
import { type ModelRequest, override, type Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { call, codeOf, type Said, scripted } from "./support.js";

/** A client of this name that says this. */
const named = (name: string, ...said: readonly Said[]): ReturnType<typeof scripted> & Model => {
  const model = scripted(...said);
  return { ...model, name, provider: `${name}-cloud`, server: { address: `${name}.example` } };
};

const uses = (client: unknown, when: (request: ModelRequest) => boolean = () => true): Plugin => ({
  name: "uses",
  async model(c, next) {
    if (when(c.request)) c.request = override(c.request, { client });
    await next();
  },
});

describe.each([false, true])("another model client for one call (streamed: %s)", (streaming) => {
  const run = async (agent: ReturnType<typeof createAgent>) =>
    streaming ? agent.stream("go").result : agent.run("go");

  it("answers in place of the agent's own; plugins see which, and its usage is counted under its name", async () => {
    const big = named("big", [call("1", "none")]);
    const mini = named("mini", "done");
    const reached: unknown[] = [];
    const watch: Plugin = {
      name: "watch",
      async model(c, next) {
        await next();
        const { model, provider, server } = c.reached ?? {};
        reached.push([model, provider, server?.address]);
      },
    };
    const second = uses(mini, ({ messages }) => messages.length > 1);
    const done = await run(createAgent({ name: "a", model: big, plugins: [watch, second] }));
    expect(done).toMatchObject({ text: "done", usage: { inputTokens: 20, outputTokens: 10 } });
    expect(reached).toEqual([
      ["big", "big-cloud", "big.example"],
      ["mini", "mini-cloud", "mini.example"],
    ]);
    const usage = { inputTokens: 10, outputTokens: 5 };
    const byModel = [
      { model: "big", provider: "big-cloud", usage, inferenceCalls: 1 },
      { model: "mini", provider: "mini-cloud", usage, inferenceCalls: 1 },
    ];
    expect(done.byModel).toEqual(byModel);
    expect(done.byAgent.byModel).toEqual(byModel);
    expect([big.asked.length, mini.asked.length]).toEqual([1, 1]);
  });

  it("is a fallback if the first fails, and each attempt reports its model", async () => {
    const big = named("big", new Error("503"));
    const mini = named("mini", "done");
    const falls: Plugin = {
      name: "falls",
      async model(c, next) {
        try {
          await next();
          await c.result?.ready();
        } catch {
          c.request = override(c.request, { client: mini, model: "mini-2" });
          await next();
        }
      },
    };
    const attempts: unknown[] = [];
    const watch: Plugin = {
      name: "watch",
      observe: (n) => n.type === "attempt" && attempts.push((n.request as ModelRequest).model),
      model: (_c, next) => next(),
    };
    const done = await run(createAgent({ name: "a", model: big, plugins: [watch, falls] }));
    expect(done.byModel.map(({ model, inferenceCalls }) => [model, inferenceCalls])).toEqual([
      ["big", 1],
      ["mini-2", 1],
    ]);
    expect([attempts, mini.asked[0]?.model]).toEqual([["big"], "mini-2"]);
  });

  it("is refused where it is none", async () => {
    const agent = createAgent({ name: "a", model: named("big"), plugins: [uses({ name: "no model" })] });
    expect(await codeOf(run(agent))).toBe("ERR_AGENT_MODEL_REQUEST");
  });
});

it("answers what a plugin asks by itself", async () => {
  const mini = named("mini", "short");
  const asks: Plugin = {
    name: "asks",
    async agent(c, next) {
      await next();
      const options = { parent: c.call, purpose: "summarize", client: mini } as const;
      const said = await c.runtime.ask?.({ messages: [] }, options);
      expect(said?.message.parts).toEqual([{ type: "text", content: "short" }]);
    },
  };
  const done = await createAgent({ name: "a", model: named("big", "ok"), plugins: [asks] }).run("go");
  expect(done.byModel.map(({ model }) => model)).toEqual(["big", "mini"]);
});

it("is refused by an adapter that asks its own alone: the answer would be another's", async () => {
  const stack = new PluginStack([uses({})]);
  const run = stack.begin();
  const request = { model: "m", messages: [], tools: [] };
  const asked = stack.call("model", run, request, () => Promise.reject(new Error("must not be asked")));
  expect(await codeOf(asked)).toBe("ERR_CLIENT_NOT_SERVED");
  await run.end();
});
