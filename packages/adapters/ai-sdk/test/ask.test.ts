import { describe, expect, it } from "@jest/globals";
import { pluginMiddleware, withPlugins } from "@suite/ai-sdk";
import {
  type AnyInvocation,
  definePlugin,
  message,
  type Plugin,
  type Reply,
  type RuntimeContext,
  textOf,
  type Usage,
  usageOf,
} from "@suite/core";
import * as ai from "ai";
import { ending, scripted, textChunks, textResult } from "./support.js";

/** A plugin that asks once, from the layer of a kind, and keeps what it was told. */
function asking(kind: "agent" | "reasoning" | "model", request: object = {}, options: object = {}) {
  const told: Reply[] = [];
  const used: (Usage | undefined)[] = [];
  const errors: unknown[] = [];
  const layer = async (invocation: AnyInvocation, callNext: () => Promise<void>): Promise<void> => {
    const { runtime, call: parent, request: own } = invocation;
    if (!("purpose" in own && own.purpose !== undefined) && told.length + errors.length === 0) {
      const messages = [message("user", "Sum up.")];
      await runtime.ask?.({ messages, ...request }, { parent, purpose: "summarize", ...options }).then(
        (reply) => told.push(reply),
        (error: unknown) => errors.push(error),
      );
    }
    await callNext();
  };
  const end = (runtime: RuntimeContext): void => void used.push(usageOf(runtime));
  const plugin: Plugin = { name: "asking", [kind]: layer, end };
  return { plugin, told, used, errors };
}

const tokens = { inputTokens: 6, outputTokens: 4 };
const said = (replies: readonly Reply[]): readonly string[] => replies.map((reply) => textOf(reply.message));

describe("a plugin asks the model of a run", () => {
  for (const kind of ["agent", "reasoning", "model"] as const) {
    it(`in a ${kind} layer of generateText: a whole answer, counted, and nothing that the user sees`, async () => {
      const { plugin, told, used } = asking(kind);
      const { model, asked } = scripted([textResult("a summary"), textResult("the answer")]);
      const { generateText } = withPlugins(ai, [plugin]);
      const { text, steps } = await generateText({ model: model as never, prompt: "hello", headers: { key: "k" } });
      expect([text, steps.length, said(told)]).toEqual(["the answer", 1, ["a summary"]]);
      expect(asked[0]?.prompt).toEqual([{ role: "user", content: [{ type: "text", text: "Sum up." }] }]);
      expect(asked[0]?.headers).toMatchObject({ key: "k" });
      expect(used).toEqual([tokens]);
    });
  }

  it("in a streamed turn: the answer streams, and what is asked does not", async () => {
    const { plugin, told, used } = asking("reasoning");
    const { model } = scripted([textResult("a summary"), textChunks("the ", "answer")]);
    const { streamText } = withPlugins(ai, [plugin]);
    expect(await streamText({ model: model as never, prompt: "hello" }).text).toBe("the answer");
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([said(told), used]).toEqual([["a summary"], [tokens]]);
  });

  it("in a call of one model, and in generateObject", async () => {
    const one = asking("model");
    const { model } = scripted([textResult("a summary"), textResult("the answer")]);
    const wrapped = ai.wrapLanguageModel({ model, middleware: pluginMiddleware([one.plugin] as never) });
    await ai.generateText({ model: wrapped, prompt: "hello" });
    const object = asking("agent");
    const { generateObject } = withPlugins(ai, [object.plugin]);
    const asked = scripted([textResult("a summary"), textResult('{"a":1}')]);
    const schema = ai.jsonSchema<{ a: number }>({ type: "object" });
    expect((await generateObject({ model: asked.model as never, prompt: "hello", schema })).object).toEqual({ a: 1 });
    expect([said(one.told), said(object.told)]).toEqual([["a summary"], ["a summary"]]);
  });

  it("with tools, a schema and settings", async () => {
    const outputSchema = { type: "object" };
    const tools = [{ name: "look", parameters: { type: "object" } }];
    const settings = { temperature: 0, maxTokens: 5 };
    const { plugin } = asking("agent", { tools, outputSchema, settings, toolChoice: "required" });
    const { model, asked } = scripted([textResult("{}"), textResult("the answer")]);
    await withPlugins(ai, [plugin]).generateText({ model: model as never, prompt: "hello" });
    expect(asked[0]).toMatchObject({
      tools: [{ type: "function", name: "look", inputSchema: { type: "object" } }],
      toolChoice: { type: "required" },
      responseFormat: { type: "json", schema: outputSchema },
      temperature: 0,
      maxOutputTokens: 5,
    });
    expect(asked[1]?.temperature).toBeUndefined();
  });

  it("about messages of its round, which are sent as the framework gave them", async () => {
    const plugin = definePlugin({
      name: "asking",
      async reasoning({ request, runtime, call }, callNext) {
        const messages = [...request.messages, message("user", "Sum up.")];
        await runtime.ask?.({ messages }, { parent: call, purpose: "summarize" });
        await callNext();
      },
    });
    const { model, asked } = scripted([textResult("a summary"), textResult("the answer")]);
    const providerOptions = { test: { cache: true } };
    const { generateText } = withPlugins(ai, [plugin]);
    await generateText({ model: model as never, messages: [{ role: "user", content: "hello", providerOptions }] });
    expect(asked[0]?.prompt.slice(0, -1)).toEqual(asked[1]?.prompt);
    expect(asked[0]?.prompt[0]?.providerOptions).toEqual(providerOptions);
    expect(asked[0]?.prompt[1]?.providerOptions).toBeUndefined();
  });

  it("and another one by its id, where the caller names models by their id", async () => {
    const models = {
      big: scripted([textResult("the answer")], "big"),
      small: scripted([textResult("a summary")], "small"),
    };
    globalThis.AI_SDK_DEFAULT_PROVIDER = {
      languageModel: (id: "big" | "small") => models[id].model,
    } as never;
    try {
      const { plugin, told } = asking("agent", {}, { model: "small" });
      const { text } = await withPlugins(ai, [plugin]).generateText({ model: "big", prompt: "hello" });
      expect([text, said(told)]).toEqual(["the answer", ["a summary"]]);
    } finally {
      globalThis.AI_SDK_DEFAULT_PROVIDER = undefined as never;
    }
    const { plugin, errors } = asking("agent", {}, { model: "small" });
    const { model, asked } = scripted([textResult("the answer")]);
    await withPlugins(ai, [plugin]).generateText({ model: model as never, prompt: "hello" });
    expect(errors).toMatchObject([{ code: "ERR_AI_SDK_UNSUPPORTED" }]);
    expect(asked).toHaveLength(1);
  });

  it("and hears of its own error, which costs the run nothing", async () => {
    const { plugin, errors } = asking("reasoning");
    const { model } = scripted([textChunks("a stream"), textResult("the answer")]);
    const { text } = await withPlugins(ai, [plugin]).generateText({ model: model as never, prompt: "hello" });
    expect(text).toBe("the answer");
    expect(String(errors[0])).toContain("This answer is a stream.");
  });
});

it("usageOf counts all rounds of a run, and the runs of agents in its tools", async () => {
  const used: (Usage | undefined)[] = [];
  const counting = definePlugin({
    name: "counting",
    whereOffered: ["model"],
    model: (_, callNext) => callNext(),
    tool: (_, callNext) => callNext(),
    end: (runtime) => void used.push(usageOf(runtime)),
  });
  const { generateText } = withPlugins(ai, [counting]);
  const call = { type: "tool-call" as const, toolCallId: "c", toolName: "ask", input: "{}" };
  const outer = scripted([{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("done")]);
  const execute = async () =>
    (await generateText({ model: scripted([textResult("inner")]).model as never, prompt: "x" })).text;
  const ask = ai.tool({ inputSchema: ai.jsonSchema({ type: "object" }), execute });
  await generateText({ model: outer.model as never, prompt: "x", tools: { ask }, stopWhen: ai.stepCountIs(3) });
  expect(used).toEqual([
    { inputTokens: 3, outputTokens: 2 },
    { inputTokens: 9, outputTokens: 6 },
  ]);
});
