import { afterEach, describe, expect, it } from "@jest/globals";
import { pluginMiddleware, withPlugins } from "@suite/ai-sdk";
import { definePlugin, message, type Plugin } from "@suite/core";
import { redacting } from "@suite/testkit";
import * as ai from "ai";
import { all, type Chunk, ending, recorder, scripted, textChunks, textResult } from "./support.js";

const secret = "ada@mail.example";

describe("every model that the framework asks is asked through the plugins", () => {
  it("one that prepareStep chooses", async () => {
    const { plugin, calls } = recorder();
    const other = scripted([textResult(`I am ${secret}!`)], "other");
    const { generateText } = withPlugins(ai, [plugin, redacting()]);
    const { model } = scripted([]);
    const result = await generateText({ model, prompt: secret, prepareStep: () => ({ model: other.model }) });
    expect(result.text).toBe("I am [EMAIL]!");
    expect(JSON.stringify(other.asked[0]?.prompt)).not.toContain(secret);
    expect(calls).toEqual(["agent", "reasoning", "model"]);
  });

  describe("one that is named by its id", () => {
    const before = globalThis.AI_SDK_DEFAULT_PROVIDER;
    afterEach(() => {
      globalThis.AI_SDK_DEFAULT_PROVIDER = before;
    });
    it("of the default provider", async () => {
      const { model, asked } = scripted([textResult(`I am ${secret}!`)]);
      globalThis.AI_SDK_DEFAULT_PROVIDER = ai.customProvider({ languageModels: { known: model } });
      const { generateText } = withPlugins(ai, [redacting()]);
      expect((await generateText({ model: "known", prompt: secret })).text).toBe("I am [EMAIL]!");
      expect(JSON.stringify(asked[0]?.prompt)).not.toContain(secret);
    });
  });

  it("but none of a specification that they could not read", async () => {
    const { generateText } = withPlugins(ai, [redacting()]);
    const model = { ...scripted([]).model, specificationVersion: "v2" } as never;
    await expect(generateText({ model, prompt: "" })).rejects.toMatchObject({ code: "ERR_AI_SDK_MODEL_VERSION" });
  });
});

describe("what no layer changes is the framework's own", () => {
  it("messages with their provider options", async () => {
    const { model, asked } = scripted([textResult("Yes.")]);
    const { generateText } = withPlugins(ai, [redacting("model")]);
    const providerOptions = { test: { cacheControl: { type: "ephemeral" } } };
    await generateText({
      model,
      allowSystemInMessages: true,
      messages: [
        { role: "system", content: "Be kind.", providerOptions },
        { role: "user", content: [{ type: "text", text: `I am ${secret}!`, providerOptions }] },
      ],
    });
    const [system, user] = asked[0]?.prompt ?? [];
    expect(system).toEqual({ role: "system", content: "Be kind.", providerOptions });
    expect(user?.content).toEqual([{ type: "text", text: "I am [EMAIL]!", providerOptions }]);
  });

  it("chunks, in their order", async () => {
    const { plugin } = recorder();
    const chunks = textChunks("One. ", "Two.");
    const { model } = scripted([chunks]);
    const wrapped = ai.wrapLanguageModel({ model, middleware: pluginMiddleware([plugin]) });
    const { stream } = await wrapped.doStream({ prompt: [] });
    const seen = await all(stream as unknown as AsyncIterable<Chunk>);
    expect(seen).toHaveLength(chunks.length);
    expect(seen.every((chunk, index) => chunk === chunks[index])).toBe(true);
  });
});

it("calls of tools that the provider runs are seen as parts of the answer", async () => {
  const content = [
    {
      type: "tool-call" as const,
      toolCallId: "p1",
      toolName: "search",
      input: `{"q":"${secret}"}`,
      providerExecuted: true,
      dynamic: true,
    },
    { type: "tool-result" as const, toolCallId: "p1", toolName: "search", result: { hit: secret }, dynamic: true },
    { type: "text" as const, text: "Found." },
  ];
  const { model } = scripted([
    { content, ...ending(), warnings: [] },
    [...content.slice(0, 2), ...textChunks("Found.")] as Chunk[],
  ]);
  const { generateText, streamText } = withPlugins(ai, [redacting()]);
  const whole = await generateText({ model, prompt: "" });
  expect(whole.text).toBe("Found.");
  expect(JSON.stringify(whole.content)).toContain("[EMAIL]");
  expect(JSON.stringify([whole.content, whole.steps, whole.response.messages])).not.toContain(secret);
  const parts = await all(streamText({ model, prompt: "" }).fullStream);
  expect(parts.map(({ type }) => type)).toContain("tool-result");
  expect(JSON.stringify(parts)).not.toContain(secret);
});

it("the model that a step receives, and a copy of it, report the URLs that the model supports", async () => {
  const supportedUrls = { "image/*": [/^https:/] };
  const told: unknown[] = [];
  const prepareStep = ({ model }: { readonly model: unknown }): undefined => {
    const given = model as { readonly supportedUrls: unknown };
    const copies: (typeof given)[] = [given, { ...given }, Object.create(given)];
    told.push(...copies.map((each) => each.supportedUrls));
  };
  const model = { ...scripted([textResult("Yes.")]).model, supportedUrls };
  await withPlugins(ai, [recorder().plugin]).generateText({ model, prompt: "", prepareStep });
  expect(told).toEqual([supportedUrls, supportedUrls, supportedUrls]);
});

it("raw chunks pass only if no plugin guards: a value may be split across two of them", async () => {
  const raw: Chunk = { type: "raw", rawValue: { piece: "ada@mail" } };
  const { model } = scripted([
    [raw, ...textChunks("Yes.")],
    [raw, ...textChunks("Yes.")],
  ]);
  const rawOf = async (plugin: Plugin) => {
    const { fullStream } = withPlugins(ai, [plugin]).streamText({ model, prompt: "", includeRawChunks: true });
    return (await all(fullStream)).filter(({ type }) => type === "raw");
  };
  expect(await rawOf(recorder().plugin)).toEqual([raw]);
  expect(await rawOf(redacting())).toEqual([]);
});

it("a layer's own answer is a whole stream", async () => {
  const answering = definePlugin({
    name: "answering",
    async model(invocation) {
      invocation.respond({ value: { message: message("assistant", "Mine."), finishReason: "stop" } });
    },
  });
  const { model, asked } = scripted([]);
  const { stream } = await ai
    .wrapLanguageModel({ model, middleware: pluginMiddleware([answering]) })
    .doStream({ prompt: [] });
  const types = (await all(stream as unknown as AsyncIterable<Chunk>)).map(({ type }) => type);
  expect(types).toEqual(["text-start", "text-delta", "text-end", "finish"]);
  expect(asked).toEqual([]);
});

it("signed reasoning goes on verbatim, or not at all", async () => {
  const providerMetadata = { test: { signature: "c2ln" } };
  const chunks = (thought: string): readonly Chunk[] => [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: thought },
    { type: "reasoning-delta", id: "r", delta: "", providerMetadata },
    { type: "reasoning-end", id: "r" },
    ...textChunks("Done."),
  ];
  const { model } = scripted([chunks("Hm."), chunks(`I know ${secret}.`)]);
  const plain = await all(withPlugins(ai, [recorder().plugin]).streamText({ model, prompt: "" }).fullStream);
  expect(plain).toContainEqual(expect.objectContaining({ type: "reasoning-delta", text: "", providerMetadata }));
  const guarded = withPlugins(ai, [redacting()]).streamText({ model, prompt: "" });
  expect(JSON.stringify(await all(guarded.fullStream))).not.toMatch(/ada@|c2ln/);
  expect(await guarded.text).toBe("Done.");
});

it("what a model throws reaches the user as it is", async () => {
  const error = new Error("The model is out.");
  const model = { ...scripted([]).model, doGenerate: () => Promise.reject(error) };
  await expect(withPlugins(ai, [recorder().plugin]).generateText({ model, prompt: "" })).rejects.toBe(error);
});

describe("a middleware of one model", () => {
  it("guards what is asked without the rest of the framework", async () => {
    const { model, asked } = scripted([textResult(secret), textChunks("ada@mail", ".example")]);
    const wrapped = ai.wrapLanguageModel({ model, middleware: pluginMiddleware([redacting("model")]) });
    expect((await ai.generateText({ model: wrapped, prompt: secret })).text).toBe("[EMAIL]");
    expect(await ai.streamText({ model: wrapped, prompt: secret }).text).toBe("[EMAIL]");
    expect(JSON.stringify(asked.map(({ prompt }) => prompt))).not.toContain(secret);
  });

  it("does nothing twice where its plugins are at work already", async () => {
    const { plugin, calls } = recorder();
    const { model } = scripted([textResult("Yes."), textChunks("Yes.")]);
    const wrapped = ai.wrapLanguageModel({ model, middleware: pluginMiddleware([plugin]) });
    const { generateText, streamText } = withPlugins(ai, [plugin]);
    await generateText({ model: wrapped, prompt: "" });
    expect(calls).toEqual(["agent", "reasoning", "model"]);
    expect(await streamText({ model: wrapped, prompt: "" }).text).toBe("Yes.");
    expect(calls).toHaveLength(6);
  });

  it("refuses a plugin that needs more", () => {
    const guard = definePlugin({ name: "guard", tool: async (_, next) => next() });
    // @ts-expect-error a model has no tools to guard
    expect(() => pluginMiddleware([guard])).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
  });
});
