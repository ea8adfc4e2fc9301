import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { type AnyInvocation, type CallNext, definePlugin, type Plugin, type RunSettlement } from "@suite/core";
import * as ai from "ai";
import { scripted, textChunks, textResult } from "./support.js";

const schema = ai.jsonSchema<{ a: number }>(
  { type: "object", required: ["a"] },
  {
    validate: (value) =>
      typeof (value as { a?: unknown })?.a === "number"
        ? { success: true, value: value as { a: number } }
        : { success: false, error: new Error("a is missing") },
  },
);

/** A plugin that notes how each agent call and each run ends; without `calls`, it has no layer. */
function endings(calls: boolean) {
  const seen: unknown[] = [];
  const error = (settlement: RunSettlement | { readonly status: string; readonly error?: unknown }) =>
    "error" in settlement ? (settlement.error as Error).name : settlement.status;
  const watch: Plugin = {
    name: "watch",
    ...(calls && {
      async agent(invocation: AnyInvocation, callNext: CallNext) {
        await callNext();
        invocation.pipe({ settle: (settlement: never) => void seen.push(["agent", error(settlement)]) });
      },
    }),
    end: (_, settlement) => void seen.push(["run", error(settlement)]),
  };
  return { plugin: definePlugin(watch), seen };
}

describe.each([
  ["with a layer", true],
  ["without one", false],
])("an object, %s,", (_, calls) => {
  const expected = (how: string) => [...(calls ? [["agent", how]] : []), ["run", how]];
  const none = "AI_NoObjectGeneratedError";

  it.each([
    ["is no JSON", "I cannot do that."],
    ["does not fit the schema", '{"b":1}'],
  ])("that %s fails its call and its run", async (_, said) => {
    const { plugin, seen } = endings(calls);
    const { generateObject } = withPlugins(ai, [plugin]);
    const { model } = scripted([textResult(said)]);
    const failed = generateObject({ model: model as never, prompt: "go", schema });
    await expect(failed).rejects.toMatchObject({ name: none, text: said });
    expect(seen).toEqual(expected(none));
  });

  it.each([
    ["is no JSON", "I cannot do that."],
    ["does not fit the schema", '{"b":1}'],
  ])("that %s fails its call and its run when it is streamed", async (_, said) => {
    const { plugin, seen } = endings(calls);
    const { streamObject } = withPlugins(ai, [plugin]);
    const { model } = scripted([textChunks(said)]);
    const result = streamObject({ model: model as never, prompt: "go", schema, onError: () => {} });
    for await (const _ of result.partialObjectStream);
    await expect(result.object).rejects.toMatchObject({ name: none });
    await new Promise((done) => setTimeout(done, 10));
    expect(seen).toEqual(expected(none));
  });

  it("that is repaired completes, whole and streamed", async () => {
    const { plugin, seen } = endings(calls);
    const { generateObject, streamObject } = withPlugins(ai, [plugin]);
    const repair = { experimental_repairText: async () => '{"a":2}' };
    const { model } = scripted([textResult("no"), textChunks("no")]);
    const { object } = await generateObject({ model: model as never, prompt: "go", schema, ...repair });
    const streamed = streamObject({ model: model as never, prompt: "go", schema, ...repair });
    for await (const _ of streamed.partialObjectStream);
    expect([object, await streamed.object]).toEqual([{ a: 2 }, { a: 2 }]);
    await new Promise((done) => setTimeout(done, 10));
    expect(seen).toEqual([...expected("completed"), ...expected("completed")]);
  });

  it("of which only the text is read completes its run", async () => {
    const { plugin, seen } = endings(calls);
    const { streamObject } = withPlugins(ai, [plugin]);
    const { model } = scripted([textChunks('{"a"', ":1}")]);
    let text = "";
    for await (const piece of streamObject({ model: model as never, prompt: "go", schema }).textStream) text += piece;
    expect(text).toBe('{"a":1}');
    await new Promise((done) => setTimeout(done, 10));
    expect(seen).toEqual(expected("completed"));
  });
});
