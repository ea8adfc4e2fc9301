import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, stateKey } from "@suite/core";
import type { ModelMessage } from "ai";
import * as ai from "ai";
import { ending, recorder, scripted, textResult } from "./support.js";

const inputSchema = ai.jsonSchema<{ device: string }>({ type: "object", properties: { device: { type: "string" } } });
const tools = { locate: ai.tool({ inputSchema, outputSchema: ai.jsonSchema<string>({ type: "string" }) }) };
const asking = {
  content: [{ type: "tool-call" as const, toolCallId: "c1", toolName: "locate", input: '{"device":"phone"}' }],
  ...ending("tool-calls"),
  warnings: [],
};
const result = {
  role: "tool" as const,
  content: [
    {
      type: "tool-result" as const,
      toolCallId: "c1",
      toolName: "locate",
      output: { type: "text" as const, value: "kitchen" },
    },
  ],
};
const budget = stateKey("test.budget", () => 0, { save: (spent) => spent, load: Number });

/** One turn that counts how often the run was entered. */
async function turn(messages: ModelMessage[], secret = "secret", script = [asking, textResult("At home.")]) {
  const { plugin, told, runIds } = recorder();
  const spent: number[] = [];
  const counting = definePlugin({
    name: "counting",
    async agent({ runtime }, callNext) {
      runtime.set(budget, runtime.get(budget) + 1);
      spent.push(runtime.get(budget));
      await callNext();
    },
  });
  const answered = messages.at(-1)?.role === "tool" ? 1 : 0;
  const { model, asked } = scripted(script.slice(answered));
  const { generateText } = withPlugins(ai, [plugin, counting]);
  const { response, text } = await generateText({ model, tools, messages, experimental_toolApprovalSecret: secret });
  // As it is kept: in a database, or a browser.
  const history: ModelMessage[] = JSON.parse(JSON.stringify([...messages, ...response.messages]));
  return { history, told, runId: [...runIds][0], spent: spent[0], asked, text };
}

const user: ModelMessage = { role: "user", content: "Where is my phone?" };

describe("a run that waited", () => {
  it("continues as the same run, with the stored state of its plugins, and reports the results that arrived", async () => {
    const before = await turn([user], "secret");
    expect(before.told).toEqual([
      { type: "suspension", call: expect.anything(), pending: [expect.objectContaining({ reason: "external" })] },
    ]);
    const after = await turn([...before.history, result], "secret");
    expect(after.runId).toBe(before.runId);
    expect(after.spent).toBe(2);
    expect(after.told).toEqual([
      expect.objectContaining({ type: "external_result", toolCallId: "c1", outcome: "completed", response: "kitchen" }),
    ]);
    expect(after.text).toBe("At home.");
  });

  it("does not show a model what it carries", async () => {
    const before = await turn([user], "secret");
    expect(JSON.stringify(before.history)).toContain(String(before.runId));
    const after = await turn([...before.history, result], "secret");
    expect(JSON.stringify(after.asked[0]?.prompt)).not.toContain(String(before.runId));
  });

  it("reports the results once: the next turn is another run", async () => {
    const before = await turn([user], "secret");
    const after = await turn([...before.history, result], "secret");
    const next = await turn([...after.history, user], "secret", [textResult("Still there.")]);
    expect(next.runId).not.toBe(before.runId);
    expect(next.told).toEqual([]);
  });

  it("does not begin if the tool ran here and the framework was configured to stop there", async () => {
    const { plugin, runIds, told } = recorder();
    const { generateText } = withPlugins(ai, [plugin]);
    const here = { locate: ai.tool({ inputSchema, needsApproval: () => false, execute: () => "kitchen" }) };
    const { model } = scripted([asking, textResult("At home.")]);
    const { response } = await generateText({ model, tools: here, messages: [user] });
    await generateText({ model, tools: here, messages: [user, ...response.messages] });
    expect(runIds.size).toBe(2);
    expect(told).toEqual([]);
  });

  it.each([
    ["was altered", (text: string) => text.replace('\\"test.budget\\":1', '\\"test.budget\\":0'), "secret"],
    ["is of another call", (text: string) => text.replaceAll('"c1"', '"c2"'), "secret"],
    ["is of another secret", (text: string) => text, "other"],
  ])("is a new run where what it carries %s", async (_, change, secret) => {
    const before = await turn([user], "secret");
    const text = JSON.stringify([...before.history, result]);
    const after = await turn(JSON.parse(change(text)), secret);
    expect(after.runId).not.toBe(before.runId);
    expect(after.spent).toBe(1);
    expect(after.text).toBe("At home.");
  });
});
