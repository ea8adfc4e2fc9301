import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { type AnyInvocation, definePlugin, type Plugin, type RuntimeContext } from "@suite/core";
import * as ai from "ai";
import { promisesOf } from "../../../../integration-tests/promises.js";
import { all, type Chunk, ending, recorder, scripted, textChunks, textResult } from "./support.js";

const pieces = Array.from({ length: 100 }, (_, index) => `piece ${index} `);
const observing = definePlugin({ name: "watch", observe() {}, begin() {}, end() {} });
const layer = async (_: unknown, callNext: () => Promise<void>): Promise<void> => callNext();
const prompt = "Where is my order?";

type Ai = Pick<typeof ai, "generateText" | "streamText" | "ToolLoopAgent" | "generateObject" | "streamObject">;
const answer = (): ReturnType<typeof scripted>["model"] => scripted([textResult('{"a":1}')]).model;
const stream = (): ReturnType<typeof scripted>["model"] => scripted([textChunks(...pieces)]).model;
const agent = ({ ToolLoopAgent }: Ai, model: ReturnType<typeof answer>) => new ToolLoopAgent({ model: model as never });
const schema = ai.jsonSchema<{ a: number }>({ type: "object" });
const object = () => scripted([textChunks('{"a":[', ...pieces.map((_, at) => `${at},`), "1]}")]).model;

const paths: Readonly<Record<string, (ai: Ai) => Promise<unknown>>> = {
  generateText: ({ generateText }) => generateText({ model: answer() as never, prompt }),
  streamText: ({ streamText }) => all(streamText({ model: stream() as never, prompt }).textStream),
  "agent.generate": async (of) => agent(of, answer()).generate({ prompt }),
  "agent.stream": async (of) => all((await agent(of, stream()).stream({ prompt })).fullStream),
  generateObject: ({ generateObject }) => generateObject({ model: answer() as never, prompt, schema }),
  streamObject: ({ streamObject }) =>
    all(streamObject({ model: object() as never, prompt, schema }).partialObjectStream),
};

describe("a plugin without a layer costs no more than a tenth of the framework's promises", () => {
  for (const [name, path] of Object.entries(paths)) {
    it(name, async () => {
      const wrapped = withPlugins(ai, [observing]) as Ai;
      const bare = await promisesOf(() => path(ai));
      const observed = await promisesOf(() => path(wrapped));
      if (process.env.COUNTS !== undefined) {
        const idle = withPlugins(ai, [idlePlugin]) as Ai;
        console.log(`${name}: bare ${bare}, observe ${observed}, idle ${await promisesOf(() => path(idle))}`);
      }
      expect(observed / bare).toBeLessThanOrEqual(1.1);
    });
  }
});

const idlePlugin: Plugin = definePlugin({ name: "idle", agent: layer, reasoning: layer, model: layer, tool: layer });
const staged = async (invocation: AnyInvocation, callNext: () => Promise<void>): Promise<void> => {
  await callNext();
  invocation.pipe({ chunk: (chunk: never, emit: (chunk: never) => void) => emit(chunk) });
};

describe("a layer costs a streamed answer few promises a chunk", () => {
  const layers = { "that only awaits callNext()": layer, "that pipes a stage": staged };
  for (const [what, each] of Object.entries(layers)) {
    it(`one ${what}: at most a fifth of the framework's own, with all hooks`, async () => {
      const idle = definePlugin({ name: "idle", agent: each, reasoning: each, model: each, tool: each } as Plugin);
      const wrapped = withPlugins(ai, [idle]) as Ai;
      const path = paths.streamText as (ai: Ai) => Promise<unknown>;
      expect(await path(wrapped)).toEqual(await path(ai));
      const bare = await promisesOf(() => path(ai));
      const layered = await promisesOf(() => path(wrapped));
      expect(layered / bare).toBeLessThanOrEqual(1.2);
    });
  }
});

/** A plugin that notes its runs. */
function runsOf() {
  const told: string[] = [];
  const runs: RuntimeContext[] = [];
  const plugin = definePlugin({
    name: "runs",
    begin(runtime) {
      runs.push(runtime);
      told.push("begin");
    },
    end: () => void told.push("end"),
  });
  return { plugin, told, runs };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe("a call that no layer is round is a run all the same", () => {
  for (const [name, path] of Object.entries(paths)) {
    it(`${name} begins and ends once`, async () => {
      const { plugin, told } = runsOf();
      await path(withPlugins(ai, [plugin]) as Ai);
      await settle();
      expect(told).toEqual(["begin", "end"]);
    });
  }

  it("it ends where the call fails, at once or later", async () => {
    for (const model of [scripted([]).model, { specificationVersion: "v1" }]) {
      const { plugin, told } = runsOf();
      const { generateText } = withPlugins(ai, [plugin]);
      await expect(generateText({ model: model as never, prompt, maxRetries: 0 })).rejects.toThrow();
      expect(told).toEqual(["begin", "end"]);
    }
    const { plugin, told } = runsOf();
    const { streamText } = withPlugins(ai, [plugin]);
    await streamText({ model: scripted([]).model as never, prompt, maxRetries: 0, onError() {} }).consumeStream();
    await settle();
    expect(told).toEqual(["begin", "end"]);
  });

  it("it ends where its last reader stops", async () => {
    const { plugin, told } = runsOf();
    const { streamText } = withPlugins(ai, [plugin]);
    for await (const _ of streamText({ model: stream() as never, prompt }).textStream) break;
    await settle();
    expect(told).toEqual(["begin", "end"]);
  });

  for (const streams of [false, true]) {
    it(`an agent in a tool of another is a run within it, ${streams ? "streamed" : "whole"}`, async () => {
      const { plugin, runs } = runsOf();
      const { generateText, streamText } = withPlugins(ai, [plugin]);
      const call = { type: "tool-call" as const, toolCallId: "c", toolName: "ask", input: "{}" };
      const script = streams
        ? [[call, { type: "finish", ...ending("tool-calls") }] as readonly Chunk[], textChunks("done")]
        : [{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("done")];
      const ask = ai.tool({
        inputSchema: ai.jsonSchema({ type: "object" }),
        execute: async () => (await generateText({ model: answer() as never, prompt })).text,
      });
      const asked = { model: scripted(script).model as never, prompt, tools: { ask }, stopWhen: ai.stepCountIs(3) };
      if (streams) await streamText(asked).consumeStream();
      else await generateText(asked);
      expect(runs).toHaveLength(2);
      expect(runs[1]?.parent).toBe(runs[0]);
    });
  }
});

describe("what no plugin touches is the framework's own", () => {
  it("a tool is the same object, and so are settings, where no layer is for tools", async () => {
    const tool = ai.tool({ inputSchema: ai.jsonSchema({ type: "object" }), execute: () => "seen" });
    const waits = ai.tool({
      inputSchema: ai.jsonSchema({ type: "object" }),
      needsApproval: true,
      execute: () => "seen",
    });
    const seen: unknown[] = [];
    for (const plugins of [[observing], [definePlugin({ name: "model", model: layer })]]) {
      const { generateText } = withPlugins(ai, plugins);
      await generateText({
        model: answer() as never,
        prompt,
        tools: { tool, waits },
        prepareStep: (({ tools }: { tools?: unknown }) => void tools) as never,
        experimental_onStart: ({ tools }: { tools: unknown }) => void seen.push(tools),
      } as never);
    }
    for (const tools of seen) {
      expect((tools as { tool: unknown }).tool).toBe(tool);
      expect((tools as { waits: unknown }).waits).toBe(waits);
    }
    expect(seen).toHaveLength(2);
  });

  it("a model receives the caller's signal, or none if the caller passes none", async () => {
    const { signal } = new AbortController();
    for (const abortSignal of [signal, undefined]) {
      for (const plugins of [[observing], [idlePlugin]]) {
        const { generateText, streamText } = withPlugins(ai, plugins as readonly Plugin[]);
        const whole = scripted([textResult("done")]);
        await generateText({ model: whole.model as never, prompt, ...(abortSignal && { abortSignal }) });
        const streamed = scripted([textChunks("done")]);
        await streamText({
          model: streamed.model as never,
          prompt,
          ...(abortSignal && { abortSignal }),
        }).consumeStream();
        for (const { asked } of [whole, streamed]) expect(asked[0]?.abortSignal).toBe(abortSignal);
      }
    }
  });

  it("layers are there where there is one", async () => {
    const { plugin, calls } = recorder();
    const { generateText } = withPlugins(ai, [observing, plugin] as readonly Plugin[]);
    await generateText({ model: answer() as never, prompt });
    expect(calls).toEqual(["agent", "reasoning", "model"]);
  });
});
