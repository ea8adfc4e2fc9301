import { describe, expect, it } from "@jest/globals";
import * as agents from "@openai/agents";
import { definePlugin } from "@suite/core";
import { withPlugins } from "../src/index.js";
import { called, recorder, said, scripted } from "./support.js";

/** An agent with a tool that works on after its run has ended, when it is let go; and a plugin that ends the run. */
function leftBehind(model: agents.Model, execute: () => unknown) {
  let begun = (): void => {};
  let letGo = (): void => {};
  const working = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const tool = agents.tool({
    ...{ name: "look", description: "" },
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    execute: async () => {
      begun();
      await gone;
      return execute();
    },
  });
  const impatient = definePlugin({
    name: "impatient",
    async agent({ runtime }, callNext) {
      if (runtime.agent?.name !== "left") return callNext();
      callNext().catch(() => {});
      await working;
      throw new Error("Too slow.");
    },
    model: async (_, callNext) => callNext(),
  });
  return { agent: new agents.Agent({ name: "left", model, tools: [tool] }), impatient, letGo };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("what the SDK goes on with after its run has ended", () => {
  it("asks no model past the plugins", async () => {
    const { model, asked } = scripted([called("look")], [said("Late.")]);
    let worked = false;
    const { agent, impatient, letGo } = leftBehind(model, () => {
      worked = true;
    });
    await expect(withPlugins(agents, [impatient]).run(agent, "Hi")).rejects.toThrow("Too slow.");
    letGo();
    await pause();
    expect(worked).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it("is a run of its own, with the plugins, where it begins one", async () => {
    const { plugin, calls } = recorder();
    const inner = new agents.Agent({ name: "inner", model: scripted([said("Found.")]).model });
    const found: Promise<unknown>[] = [];
    const begin = (): void => void found.push(agents.run(inner, "it"));
    const { agent, impatient, letGo } = leftBehind(scripted([called("look")]).model, begin);
    await expect(withPlugins(agents, [impatient, plugin]).run(agent, "Hi")).rejects.toThrow("Too slow.");
    letGo();
    await pause();
    expect(await found[0]).toMatchObject({ finalOutput: "Found." });
    expect(calls.slice(-3)).toEqual(["agent", "reasoning", "model"]);
  });
});
