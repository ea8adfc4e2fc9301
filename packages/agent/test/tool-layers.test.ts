import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { definePlugin, MiddlewareTermination, override, signalOf, type ToolRequest } from "@suite/core";
import type { HumanInputRequest } from "@suite/core/contract";
import { unansweredCalls } from "@suite/core/messages";
import { call, scripted, suspended } from "./support.js";

const modes = ["run", "stream"] as const;

describe("an answer of a tool layer", () => {
  it("can say that it is an error, also through layers that read or rewrite it", async () => {
    const model = scripted([call("1", "weather")], "done");
    const says = definePlugin({
      name: "says",
      async tool(invocation) {
        invocation.respond({ value: { why: "quota" }, isError: true });
      },
    });
    const reads = definePlugin({
      name: "reads",
      async tool(invocation, callNext) {
        await callNext();
        expect(invocation.result?.isError).toBe(true);
        await invocation.result?.final();
        expect(invocation.result?.isError).toBe(true);
        invocation.pipe({ chunk: (chunk, emit) => emit({ ...(chunk as object), more: 1 }) });
      },
    });
    const weather = defineTool({ name: "weather", execute: () => "sun" });
    await createAgent({ name: "a", model, tools: [weather], plugins: [reads, says] }).run("x");
    expect(model.asked[1]?.messages.at(-1)?.parts).toEqual([
      { type: "tool_call_response", id: "1", response: { why: "quota", more: 1 }, isError: true },
    ]);
  });

  it("is none where a layer outside answers otherwise", async () => {
    const model = scripted([call("1", "weather")], "done");
    const outer = definePlugin({
      name: "outer",
      async tool(invocation, callNext) {
        await callNext();
        invocation.respond({ value: "cached" });
      },
    });
    const inner = definePlugin({
      name: "inner",
      async tool(invocation) {
        invocation.respond({ value: "no", isError: true });
      },
    });
    const weather = defineTool({ name: "weather", execute: () => "sun" });
    await createAgent({ name: "a", model, tools: [weather], plugins: [outer, inner] }).run("x");
    expect(model.asked[1]?.messages.at(-1)?.parts).toEqual([
      { type: "tool_call_response", id: "1", response: "cached" },
    ]);
  });
});

describe("a tool layer that ends the run with a reply", () => {
  const ends = definePlugin({
    name: "ends",
    async tool({ request }, callNext) {
      if (request.tool.name === "stop") throw new MiddlewareTermination("limit", { reply: "That was enough." });
      await callNext();
    },
  });

  it.each(modes)("completes it with that, and tells siblings to stop (%s)", async (mode) => {
    const told: unknown[] = [];
    const tools = [
      defineTool({ name: "stop", execute: () => "never" }),
      defineTool({
        name: "slow",
        execute: (_input, _runtime, parent) =>
          new Promise((_, reject) => {
            signalOf(parent)?.addEventListener("abort", () => {
              told.push("stopped");
              reject(new Error("stopped"));
            });
          }),
      }),
    ];
    const model = scripted([{ type: "text", content: "I try." }, call("1", "slow"), call("2", "stop")]);
    const agent = createAgent({ name: "a", model, tools, plugins: [ends] });
    const pieces: string[] = [];
    let done: Awaited<ReturnType<typeof agent.run>>;
    if (mode === "run") done = await agent.run("x");
    else {
      const stream = agent.stream("x");
      for await (const piece of stream.text()) pieces.push(piece);
      done = await stream.result;
    }
    expect(done).toMatchObject({ status: "completed", text: "That was enough.", rounds: 1, inferenceCalls: 1 });
    if (mode === "stream") expect(pieces.join("")).toBe("I try.That was enough.");
    expect(unansweredCalls(done.messages)).toEqual([]);
    expect(done.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(done.messages[2]?.parts).toMatchObject([
      { id: "1", response: "This call was interrupted; there is no result." },
      { id: "2", response: "The call of stop was stopped: limit", isError: true },
    ]);
    expect(told).toEqual(["stopped"]);
  });

  it("goes on with the next question from there", async () => {
    const model = scripted([call("1", "stop")], "hello again");
    const tools = [defineTool({ name: "stop", execute: () => "never" })];
    const agent = createAgent({ name: "a", model, tools, plugins: [ends] });
    const { messages } = await agent.run("x");
    const next = await agent.run([...messages, { role: "user", parts: [{ type: "text", content: "and now?" }] }]);
    expect(next).toMatchObject({ text: "hello again" });
  });

  it("fails as ever without a reply", async () => {
    const plugin = definePlugin({
      name: "ends",
      async tool() {
        throw new MiddlewareTermination("limit");
      },
    });
    const tools = [defineTool({ name: "stop", execute: () => "never" })];
    const agent = createAgent({ name: "a", model: scripted([call("1", "stop")]), tools, plugins: [plugin] });
    await expect(agent.run("x")).rejects.toThrow("limit");
  });
});

describe("requests of tools and of human input", () => {
  it("know the calls of the answer and the history", async () => {
    const seen: (ToolRequest | HumanInputRequest)[] = [];
    const plugin = definePlugin({
      name: "watch",
      async tool(invocation, callNext) {
        seen.push(invocation.request);
        invocation.request = override(invocation.request, { input: { changed: true } });
        await callNext();
      },
      async humanInput({ request }, callNext) {
        seen.push(request);
        await callNext();
      },
    });
    const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const look = defineTool({ name: "look", execute: () => "seen" });
    const model = scripted([call("0", "look")], [call("1", "pay", { n: 1 }), call("2", "look")]);
    const agent = createAgent({ name: "a", model, tools: [pay, look], plugins: [plugin] });
    const { messages } = await suspended(agent.run("x"));
    expect(seen.map(({ batch }) => batch?.map(({ id }) => id))).toEqual([["0"], ["1", "2"], ["1", "2"], ["1", "2"]]);
    expect(seen.map(({ history }) => history?.length)).toEqual([2, 4, 4, 4]);
    expect(seen.at(-1)?.history).toEqual(messages);
    expect(seen.at(-1)?.batch?.[0]?.arguments).toEqual({ n: 1 });
  });
});
