import { describe, expect, it } from "@jest/globals";
import * as agents from "@openai/agents";
import { definePlugin, message, type Reply, text, textOf, type Usage, usageOf } from "@suite/core";
import { withPlugins } from "../src/index.js";
import { all, apis, called, runnerOf, said, scripted, useServer } from "./support.js";

const on = useServer();
const question = { messages: [message("user", [text("Sum it up.")])] };

/** A plugin that asks in its `agent` hook, before the SDK has asked anything, and what it is told. */
function asking(options: { readonly model?: string } = {}) {
  const told: Reply[] = [];
  const used: (Usage | undefined)[] = [];
  const plugin = definePlugin({
    name: "asking",
    async agent({ runtime, call }, callNext) {
      told.push((await runtime.ask?.(question, { parent: call, purpose: "summarize", ...options })) as Reply);
      await callNext();
    },
    model: (_, callNext) => callNext(),
    end: (runtime) => void used.push(usageOf(runtime)),
  });
  return { plugin, told, used };
}

describe.each(apis)("runtime.ask before the first round, %s", (api) => {
  it("asks the model of the run, or one of its provider by name", async () => {
    for (const [options, model] of [
      [{}, "gpt-5"],
      [{ model: "gpt-5-nano" }, "gpt-5-nano"],
    ] as const) {
      on.server.reset();
      on.server.script({ text: "A summary." }, { text: "Hello." });
      const { plugin, told } = asking(options);
      const module = withPlugins(agents, [plugin]);
      const agent = new agents.Agent({ name: "desk", instructions: "Be kind." });
      const { finalOutput, history } = await runnerOf(module, on.server, api).run(agent, "Hi");
      expect(told.map((reply) => textOf(reply.message))).toEqual(["A summary."]);
      expect(finalOutput).toBe("Hello.");
      expect(JSON.stringify(history)).not.toContain("Sum it up.");
      expect(on.server.requests.map(({ body }) => (body as { model: string }).model)).toEqual([model, "gpt-5"]);
      expect(on.prompts[0]).not.toContain("Be kind.");
    }
  });
});

it.each([false, true])(
  "usageOf includes rounds, calls of plugins and agents as tools, streamed: %s",
  async (stream) => {
    const inner = scripted([said("Seven.")], [said("Seven.")]);
    const outer = scripted([said("A summary.")], [called("count", { input: "x" })], [said("It is seven.")]);
    const { plugin, used } = asking();
    const { run } = withPlugins(agents, [plugin]);
    const counter = new agents.Agent({ name: "counter", model: inner.model });
    const tool = counter.asTool({ toolName: "count", toolDescription: "Counts." });
    const agent = new agents.Agent({ name: "desk", model: outer.model, tools: [tool] });
    if (stream) {
      const result = await run(agent, "Hi", { stream: true });
      await all(result);
      await result.completed;
    } else await run(agent, "Hi");
    // Each answer used 2 and 1; the agent in the tool, which is a run of its own, asks twice.
    expect(used).toEqual([
      { inputTokens: 4, outputTokens: 2 },
      { inputTokens: 10, outputTokens: 5 },
    ]);
  },
);

it("messages of the round are sent as the SDK has them", async () => {
  const { model, asked } = scripted([said("A summary.")], [said("Hello.")]);
  const plugin = definePlugin({
    name: "asking",
    async model({ request, runtime, call }, callNext) {
      const messages = request.messages.filter(({ role }) => role !== "system");
      if (request.purpose === undefined) await runtime.ask?.({ messages }, { parent: call, purpose: "moderate" });
      await callNext();
    },
  });
  const item = { role: "user", content: "Hi", providerData: { own: 1 } } as const;
  await withPlugins(agents, [plugin]).run(new agents.Agent({ name: "desk", model }), [item]);
  expect(asked.map(({ input }) => input)).toEqual([[item], [item]]);
});
