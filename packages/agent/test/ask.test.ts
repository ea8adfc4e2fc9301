import { describe, expect, it } from "@jest/globals";
import { type AgentResult, createAgent, defineTool } from "@suite/agent";
import { definePlugin, type ModelRequest, message, override, type Plugin, textOf } from "@suite/core";
import { call, codeOf, scripted } from "./support.js";

/** A guard that sees every request, and takes a name out of it. */
const guard = (seen: ModelRequest[]): Plugin =>
  definePlugin({
    name: "guard",
    async model(invocation, callNext) {
      const messages = invocation.request.messages.map(({ role, parts }) =>
        message(role, textOf(parts).replaceAll("Ann", "<NAME>")),
      );
      invocation.request = override(invocation.request, { messages });
      seen.push(invocation.request);
      await callNext();
    },
  });

/** Shortens what goes to the model by a summary that it asks for. */
const summariser = definePlugin({
  name: "summariser",
  async reasoning({ request, runtime, call }, callNext) {
    const asked = await runtime.ask?.({ messages: request.messages }, { parent: call, purpose: "summarize" });
    expect(textOf(asked?.message.parts ?? [])).toBe("a summary");
    await callNext();
  },
});

const modes = ["run", "stream"] as const;

describe("a model call that a plugin makes", () => {
  it.each(modes)("goes through the run's own layers, and is counted (%s)", async (mode) => {
    const seen: ModelRequest[] = [];
    const model = scripted("a summary", "the answer");
    const agent = createAgent({ name: "a", model, systemPrompt: "Be kind.", plugins: [guard(seen), summariser] });
    const done: AgentResult = mode === "run" ? await agent.run("I am Ann.") : await agent.stream("I am Ann.").result;
    expect(done).toMatchObject({ status: "completed", text: "the answer", inferenceCalls: 2 });
    expect(done.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(seen.map(({ purpose }) => purpose)).toEqual(["summarize", undefined]);
    expect(model.asked.map(({ stream }) => stream)).toEqual([false, mode === "stream"]);
    expect(JSON.stringify(model.asked)).not.toContain("Ann");
    expect(model.asked[0]).toMatchObject({ model: "scripted-1", provider: "test", tools: [] });
    expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual(["user"]);
  });

  it("may ask another model of the same client, and hangs below the call that asked", async () => {
    const parents: (string | undefined)[] = [];
    const plugin = definePlugin({
      name: "selector",
      async model({ request, call, runtime }, callNext) {
        parents.push(call.parent?.kind);
        if (request.purpose === undefined) {
          const { messages } = request;
          await runtime.ask?.({ messages }, { parent: call, purpose: "select_tools", model: "small" });
        }
        await callNext();
      },
    });
    const model = scripted("none", "the answer");
    await createAgent({ name: "a", model, plugins: [plugin] }).run("hello");
    expect(model.asked.map((request) => request.model)).toEqual(["small", "scripted-1"]);
    expect(parents).toEqual(["reasoning", "model"]);
  });

  it("is there in tools, and is refused once the run has ended", async () => {
    let late: (() => Promise<unknown>) | undefined;
    const tool = defineTool({
      name: "translate",
      async execute(_input, runtime, parent) {
        const asking = () => runtime.ask?.({ messages: [message("user", "hi")] }, { parent, purpose: "translate" });
        late = async () => asking();
        return textOf((await asking())?.message.parts ?? []);
      },
    });
    const model = scripted([call("1", "translate")], "salut", "done");
    const done = await createAgent({ name: "a", model, tools: [tool] }).run("hello");
    expect(done).toMatchObject({ status: "completed", text: "done", inferenceCalls: 3 });
    expect(model.asked.at(-1)?.messages.at(-1)?.parts[0]).toMatchObject({ response: "salut" });
    expect(await codeOf(Promise.resolve(late?.()))).toBe("ERR_RUN_ENDED");
  });

  it("fails with the model's own error, which a plugin may survive", async () => {
    const plugin = definePlugin({
      name: "survivor",
      async reasoning({ request: { messages }, runtime, call: parent }, callNext) {
        await expect(runtime.ask?.({ messages }, { parent, purpose: "moderate" })).rejects.toThrow("503");
        await callNext();
      },
    });
    const done = await createAgent({ name: "a", model: scripted(new Error("503"), "fine"), plugins: [plugin] }).run(
      "x",
    );
    expect(done).toMatchObject({ text: "fine", inferenceCalls: 2 });
  });

  it("ends where a plugin would ask for ever", async () => {
    const plugin = definePlugin({
      name: "endless",
      async model({ request: { messages }, runtime, call: parent }, callNext) {
        await runtime.ask?.({ messages }, { parent, purpose: "moderate" });
        await callNext();
      },
    });
    const model = scripted("never said");
    expect(await codeOf(createAgent({ name: "a", model, plugins: [plugin] }).run("x"))).toBe("ERR_ASK_NESTED");
    expect(model.asked).toEqual([]);
  });
});
