import { describe, expect, it, jest } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { definePlugin, type ModelRequest, message, type Plugin, type Reply, textOf, usageOf } from "@suite/core";
import type { AskOptions, AskRequest } from "@suite/core/contract";
import * as langchain from "langchain";
import { z } from "zod";
import { pluginMiddleware, withPlugins } from "../src/index.js";
import { asks, collect, eventually, rejection, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

const messages = [message("user", "Sum up.")];

/** Asks once in each call of the agent's own, and keeps what came of it. */
function asking(request: Partial<AskRequest> = {}, options: Partial<AskOptions> = {}) {
  const replies: Reply[] = [];
  const seen: ModelRequest[] = [];
  const plugin = definePlugin({
    name: "asking",
    async model(invocation, callNext) {
      const { runtime, call: parent } = invocation;
      seen.push(invocation.request);
      if (invocation.request.purpose === undefined) {
        const reply = await runtime.ask?.({ messages, ...request }, { parent, purpose: "summarize", ...options });
        if (reply !== undefined) replies.push(reply);
      }
      await callNext();
    },
  });
  return { plugin, replies, seen };
}

const agentWith = (plugins: readonly Plugin[], more: object = {}) =>
  withPlugins(langchain, plugins).createAgent({ model: world.model(), ...more });

const bodies = (): Record<string, unknown>[] =>
  world.server.requests.map(({ body }) => body as Record<string, unknown>);

describe("what a plugin asks the model of an agent", () => {
  it("is told to no stream and no callback of the user's", async () => {
    const { plugin, replies } = asking();
    world.server.script({ text: "a summary", chunks: 3 }, { text: "The answer.", chunks: 3 });
    const heard: string[] = [];
    const handler = { handleLLMNewToken: (token: string) => void heard.push(token) };
    const modes = ["messages", "updates", "debug"] as const;
    const stream = await agentWith([plugin]).stream(asks("Hello."), { streamMode: [...modes], callbacks: [handler] });
    const told = JSON.stringify([await collect(stream), heard]);
    expect(replies.map((reply) => textOf(reply.message))).toEqual(["a summary"]);
    expect([told.includes("summary"), told.includes("The answer.")]).toEqual([false, true]);
    expect(bodies().map(({ stream }) => stream === true)).toEqual([false, true]);
  });

  it("may go to another model of the same client, with other settings", async () => {
    const settings = { temperature: 0.2, maxTokens: 7, stopSequences: ["END"] };
    const { plugin, seen } = asking({ settings }, { model: "small" });
    world.server.script({ text: "a summary" }, { text: "The answer." });
    await agentWith([plugin]).invoke(asks("Hello."));
    expect(bodies()[0]).toMatchObject({ model: "small", temperature: 0.2, max_tokens: 7, stop: ["END"] });
    expect(bodies()[1]).toMatchObject({ model: "gpt-5" });
    expect(bodies()[1]).not.toHaveProperty("stop");
    expect(seen.map(({ model, provider }) => [model, provider])).toEqual([
      ["gpt-5", "openai"],
      ["small", "openai"],
    ]);
  });

  it("may have tools, whose calls it receives and which are not run", async () => {
    const execute = jest.fn(() => "x");
    const { plugin, replies } = asking({ tools: [{ name: "pick", execute }], toolChoice: { name: "pick" } });
    world.server.script({ toolCalls: [{ id: "c", name: "pick", arguments: { of: 1 } }] }, { text: "The answer." });
    await agentWith([plugin]).invoke(asks("Hello."));
    expect(bodies()[0]).toMatchObject({ tool_choice: { type: "function", function: { name: "pick" } } });
    expect(replies[0]?.message.parts).toMatchObject([
      { type: "tool_call", id: "c", name: "pick", arguments: { of: 1 } },
    ]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("may have an output schema: the answer is the JSON of it", async () => {
    const schema = { title: "picked", type: "object", properties: { of: { type: "string" } }, required: ["of"] };
    const { plugin, replies } = asking({ outputSchema: schema });
    world.server.script({ text: '{"of":"a"}' }, { text: "The answer." });
    await agentWith([plugin]).invoke(asks("Hello."));
    expect(bodies()[0]).toHaveProperty("response_format");
    expect(replies.map((reply) => textOf(reply.message))).toEqual(['{"of":"a"}']);
  });

  it("ends with the abort of the attempt that it is in, and fails with the model's own error", async () => {
    const errors: unknown[] = [];
    const plugin = definePlugin({
      name: "asking",
      async model(invocation, callNext) {
        const { runtime, call: parent, request } = invocation;
        if (request.purpose === undefined) {
          await runtime.ask?.({ messages }, { parent, purpose: "moderate" }).catch((error) => errors.push(error));
        }
        await callNext();
      },
    });
    world.server.script({ fault: { status: 400, message: "no" } }, { text: "The answer." });
    expect((await agentWith([plugin]).invoke(asks("Hello."))).messages.at(-1)?.text).toBe("The answer.");
    expect(errors).toMatchObject([{ status: 400 }]);

    world.server.reset();
    world.server.script({ text: "late", fault: { hang: 0 } });
    const control = new AbortController();
    const caught = rejection(agentWith([plugin]).invoke(asks("Hello."), { signal: control.signal }));
    await eventually(() => world.server.requests.length === 1);
    control.abort(new Error("enough"));
    await caught;
    expect(world.server.requests).toHaveLength(1);
    expect(await world.server.requests[0]?.ended).toBe("closed");
  });

  it("is counted in what the run has used, as are sub-agents", async () => {
    const used: unknown[] = [];
    const { plugin } = asking();
    const counting: Plugin = { name: "counting", end: (runtime) => void used.push(usageOf(runtime)?.inputTokens) };
    const { createAgent } = withPlugins(langchain, [plugin, counting]);
    const inner = createAgent({ name: "inner", model: world.model() });
    const help = langchain.tool(async ({ of }) => (await inner.invoke(asks(of))).messages.at(-1)?.text, {
      name: "help",
      schema: z.object({ of: z.string() }),
    });
    const usage = { inputTokens: 1, outputTokens: 1 };
    const summary = { text: "a summary", usage };
    world.server.script(
      summary,
      { toolCalls: [{ name: "help", arguments: { of: "it" } }], usage },
      ...[summary, { text: "inner", usage }],
      ...[summary, { text: "outer", usage }],
    );
    await createAgent({ name: "outer", model: world.model(), tools: [help] }).invoke(asks("Hello."));
    expect(used).toEqual([2, 6]);
  });

  it("is there in the agent's own layer, before any model was asked, and for a model that is made for each call", async () => {
    let said = "";
    const plugin = definePlugin({
      name: "first",
      async agent({ runtime, call: parent }, callNext) {
        const reply = await runtime.ask?.({ messages }, { parent, purpose: "plan" });
        said = textOf(reply?.message.parts ?? []);
        await callNext();
      },
    });
    const model = await langchain.initChatModel("openai:gpt-5", {
      apiKey: "none",
      maxRetries: 0,
      configuration: { baseURL: `${world.server.url}/v1` },
    });
    world.server.script({ text: "a plan" }, { text: "The answer." });
    await agentWith([plugin], { model }).invoke(asks("Hello."));
    expect(said).toBe("a plan");
  });

  it("is there where the plugins are a middleware", async () => {
    const { plugin, replies } = asking();
    world.server.script({ text: "a summary" }, { text: "The answer." });
    const middleware = [pluginMiddleware([plugin])];
    await langchain.createAgent({ model: world.model(), middleware }).invoke(asks("Hello."));
    expect(replies).toHaveLength(1);
  });

  it("is sent to the user's custom model, and refused if that model does not support a field", async () => {
    // By the others LangChain tells that tools can be bound.
    const known = { lc_runnable: true, _modelType: () => "x", _streamResponseChunks() {}, _generate() {} };
    const model = { ...known, invoke: async () => new AIMessage("said"), bindTools: (): object => model };
    const { plugin, replies } = asking();
    await agentWith([plugin], { model }).invoke(asks("Hello."));
    expect(replies.map((reply) => textOf(reply.message))).toEqual(["said"]);
    for (const given of [asking({ settings: { temperature: 0 } }), asking({}, { model: "small" })]) {
      const caught = await rejection(agentWith([given.plugin], { model }).invoke(asks("Hello.")));
      expect(caught).toMatchObject({ code: "ERR_LANGCHAIN_UNSUPPORTED" });
    }
  });
});
