import { describe, expect, it } from "@jest/globals";
import * as agents from "@openai/agents";
import { definePlugin, type Plugin } from "@suite/core";
import { promisesOf } from "../../../../integration-tests/promises.js";
import { withPlugins } from "../src/index.js";
import { all, called, said, scripted } from "./support.js";

const watching = definePlugin({ name: "watch", observe() {}, begin() {}, end() {} });
const layered = definePlugin({ name: "layered", model: (_, callNext) => callNext() });
const texts = (count: number) => said("word ".repeat(count));

/**
 * The number of promises that a run makes which asks a model twice and calls a tool, and of those that each further chunk of
 * a stream makes.
 */
async function costOf(plugins: readonly Plugin[]) {
  const { run, tool } = withPlugins(agents, plugins);
  const look = tool({
    ...{ name: "look", description: "", strict: true },
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    execute: () => "seven",
  });
  const desk = (chunks: number) =>
    new agents.Agent({ name: "desk", model: scripted([called("look")], [texts(chunks)]).model, tools: [look] });
  const streamed = (chunks: number) => () =>
    run(desk(chunks), "Hi", { stream: true }).then(async (result) => {
      await all(result);
      await result.completed;
    });
  const short = await promisesOf(streamed(10));
  return {
    call: await promisesOf(() => run(desk(1), "Hi")),
    stream: short,
    chunk: ((await promisesOf(streamed(110))) - short) / 100,
  };
}

describe("plugins without a hook for what happens in a run", () => {
  it("make hardly a promise more than the SDK alone, per call and per chunk", async () => {
    const [bare, watched, guarded] = [await costOf([]), await costOf([watching]), await costOf([layered])];
    expect(bare.chunk).toBeGreaterThan(1);
    expect(watched.call / bare.call).toBeLessThanOrEqual(1.1);
    expect(watched.stream / bare.stream).toBeLessThanOrEqual(1.1);
    expect(watched.chunk / bare.chunk).toBeLessThanOrEqual(1.1);
    expect(guarded.chunk / bare.chunk).toBeGreaterThan(1.1);
  });
});
