import { describe, expect, it } from "@jest/globals";
import * as agents from "@openai/agents";
import { type Delta, definePlugin, type Emit, message, type Plugin, type Reply } from "@suite/core";
import { withPlugins } from "../src/index.js";
import { all, called, recorder, said, scripted } from "./support.js";

const reply = (text: string): Reply => ({ message: message("assistant", text), finishReason: "stop" });
const shout = (delta: Delta, emit: Emit<Delta>): void => {
  const text = delta.type === "part" && delta.part.type === "text" ? delta.part.content : undefined;
  if (delta.type !== "part" || text === undefined) emit(delta);
  else emit({ ...delta, part: { type: "text", content: text.toUpperCase() } });
};

/** The answers that a user is told by one run, in both ways: every place in which the answer stands. */
async function both(plugins: readonly Plugin[], ...script: readonly string[]) {
  const { run } = withPlugins(agents, plugins);
  const whole = scripted(...script.map((text) => [said(text)]));
  const one = await run(new agents.Agent({ name: "a", model: whole.model }), "Hi");
  const streaming = scripted(...script.map((text) => [said(text)]));
  const other = await run(new agents.Agent({ name: "a", model: streaming.model }), "Hi", { stream: true });
  const events = await all(other);
  await other.completed;
  const deltas = events.flatMap((event) =>
    event.type === "raw_model_stream_event" && event.data.type === "output_text_delta" ? [event.data.delta] : [],
  );
  return {
    texts: [one.finalOutput, deltas.join(""), other.finalOutput],
    messages: events.flatMap((event) =>
      event.type === "run_item_stream_event" && event.item.type === "message_output_item" ? [event.item.content] : [],
    ),
    told: [one.output, one.rawResponses, one.state.toString(), events, other.output, other.state.toString()],
    asked: [whole.asked, streaming.asked],
  };
}

describe("a layer round a whole run", () => {
  it("changes the answer, wherever the user is told of it", async () => {
    const plugin = definePlugin({
      name: "shout",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: shout });
      },
    });
    const { texts, told } = await both([plugin], "be loud");
    expect(texts).toEqual(Array(3).fill("BE LOUD"));
    for (const each of told) expect(JSON.stringify(each)).not.toContain("be loud");
  });

  it("holds text back to the end, and nothing of it is told before", async () => {
    const holding = definePlugin({
      name: "holding",
      async agent(invocation, callNext) {
        await callNext();
        let held = "";
        let at = "";
        invocation.pipe({
          chunk(delta, emit) {
            if (delta.type !== "part" || delta.part.type !== "text") return emit(delta);
            held += delta.part.content;
            at = delta.at;
          },
          flush: (emit) => emit({ type: "part", at, part: { type: "text", content: held.replace("two", "2") } }),
        });
      },
    });
    const { texts, told, messages } = await both([holding], "one two three");
    expect(messages).toEqual(["one 2 three"]);
    expect(texts).toEqual(Array(3).fill("one 2 three"));
    for (const each of told) expect(JSON.stringify(each)).not.toContain("two");
  });

  it("answers in place of the SDK, which asks no model", async () => {
    const plugin = definePlugin({
      name: "cache",
      async agent(invocation) {
        invocation.respond({ value: reply("From the cache.") });
      },
    });
    const { texts, asked, told } = await both([plugin]);
    expect(texts).toEqual(Array(3).fill("From the cache."));
    expect(asked).toEqual([[], []]);
    expect(told[0]).toEqual([expect.objectContaining({ role: "assistant" })]);
  });

  it("asks again", async () => {
    const plugin = definePlugin({
      name: "retry",
      async agent(invocation, callNext) {
        await callNext();
        await invocation.result?.final();
        await callNext();
      },
    });
    const { texts } = await both([plugin], "first", "second");
    expect(texts).toEqual(Array(3).fill("second"));
  });

  it("changes the messages that the run begins with", async () => {
    const plugin = definePlugin({
      name: "instead",
      async agent(invocation, callNext) {
        invocation.request = { ...invocation.request, messages: [message("user", "Instead.")] };
        await callNext();
      },
    });
    const { asked } = await both([plugin], "Yes.");
    for (const [request] of asked) expect(JSON.stringify(request?.input)).toContain("Instead.");
    for (const [request] of asked) expect(JSON.stringify(request?.input)).not.toContain("Hi");
  });

  it("throws, and the user is given the very error", async () => {
    const error = new Error("No.");
    const plugin = definePlugin({
      name: "no",
      async agent() {
        throw error;
      },
    });
    const { run } = withPlugins(agents, [plugin]);
    const agent = new agents.Agent({ name: "a" });
    await expect(run(agent, "Hi")).rejects.toBe(error);
    await expect(run(agent, "Hi", { stream: true })).rejects.toBe(error);
  });
});

describe("agents that are reached through others", () => {
  it("are called through the plugins after a handoff, also if they have their own model", async () => {
    const { plugin, calls } = recorder();
    const last = scripted([said("Bye.")]);
    const closer = new agents.Agent({ name: "closer", model: last.model });
    const handed = agents.handoff(closer);
    const desk = new agents.Agent({
      name: "desk",
      model: scripted([called("transfer_to_closer")]).model,
      handoffs: [handed],
    });
    const { finalOutput, lastAgent } = await withPlugins(agents, [plugin]).run(desk, "Hi");
    expect(finalOutput).toBe("Bye.");
    expect(lastAgent).toBe(closer);
    expect(calls).toEqual(["agent", "reasoning", "model", "reasoning", "model"]);
  });

  it("run within the run if they are tools, and stream to its consumer", async () => {
    const { plugin, calls } = recorder();
    const inner = new agents.Agent({ name: "inner", model: scripted([said("Found.")]).model });
    const heard: unknown[] = [];
    const tool = inner.asTool({ toolName: "find", onStream: ({ event }) => void heard.push(event.type) });
    const { model, asked } = scripted([called("find", { input: "it" })], [said("It is found.")]);
    const desk = new agents.Agent({ name: "desk", model, tools: [tool] });
    const { finalOutput } = await withPlugins(agents, [plugin]).run(desk, "Hi");
    expect(finalOutput).toBe("It is found.");
    expect(JSON.stringify(asked[1]?.input)).toContain("Found.");
    expect(heard).toContain("raw_model_stream_event");
    const inside = ["agent", "reasoning", "model"];
    expect(calls).toEqual([...inside, "tool", ...inside, "reasoning", "model"]);
  });

  it("fail as the tools that they are", async () => {
    const ended: unknown[] = [];
    const plugin = definePlugin({
      name: "watch",
      async tool(_, callNext) {
        await callNext().catch((error: unknown) => {
          ended.push(error);
          throw error;
        });
      },
    });
    const inner = new agents.Agent({ name: "inner", model: scripted().model });
    const { model } = scripted([called("find", { input: "it" })], [said("Sorry.")]);
    const desk = new agents.Agent({ name: "desk", model, tools: [inner.asTool({ toolName: "find" })] });
    expect((await withPlugins(agents, [plugin]).run(desk, "Hi")).finalOutput).toBe("Sorry.");
    expect(ended).toEqual([expect.objectContaining({ message: "The script is over." })]);
  });

  it("are runs within the run where a tool runs them by the SDK's own run", async () => {
    const { plugin, calls } = recorder();
    const inner = new agents.Agent({ name: "inner", model: scripted([said("Found.")]).model });
    const tool = agents.tool({
      name: "find",
      description: "",
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
      execute: async () => (await agents.run(inner, "it")).finalOutput,
    });
    const { model } = scripted([called("find")], [said("It is found.")]);
    await withPlugins(agents, [plugin]).run(new agents.Agent({ name: "desk", model, tools: [tool] }), "Hi");
    const inside = ["agent", "reasoning", "model"];
    expect(calls).toEqual([...inside, "tool", ...inside, "reasoning", "model"]);
  });
});
