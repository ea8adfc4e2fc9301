import { describe, expect, it } from "@jest/globals";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import {
  type CallNext,
  definePlugin,
  type Invocation,
  type Notification,
  type RuntimeContext,
  stateKey,
} from "@suite/core";
import * as langchain from "langchain";
import { type AgentMiddleware, tool } from "langchain";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { approving, asks, collect, eventually, useServer } from "./support.js";

const world = useServer();
const schema = z.object({ order: z.string() });
const config = { configurable: { thread_id: "thread-7" } };
const refund = { id: "call_r", name: "refund", arguments: { order: "A-17" } };
const questioning = tool(({ order }) => `They said ${interrupt(`Which colour for ${order}?`)}.`, {
  name: "refund",
  schema,
});
const refunding = tool(({ order }) => `refunded ${order}`, { name: "refund", schema });

/** A plugin that keeps what it sees of the runs of an agent. */
function seeing() {
  const seen: { kind: string; runtime: RuntimeContext; ended?: string }[] = [];
  const told: Notification[] = [];
  const watch = async <K extends "agent" | "tool">(invocation: Invocation<K>, callNext: CallNext): Promise<void> => {
    const { kind, runtime } = invocation;
    const one: (typeof seen)[number] = { kind, runtime };
    seen.push(one);
    await callNext();
    invocation.pipe({
      settle: ({ status }) => {
        one.ended = status;
      },
    });
  };
  const plugin = definePlugin({
    name: "seeing",
    agent: watch<"agent">,
    tool: watch<"tool">,
    observe: (notification) => void told.push(notification),
  });
  return { seen, told, plugin };
}

function agentOf(
  plugins: Parameters<typeof withPlugins>[1],
  refunds: typeof refunding,
  middleware: AgentMiddleware[] = [],
) {
  const { createAgent } = withPlugins(langchain, plugins as never);
  world.server.script({ toolCalls: [refund] }, { text: "Done." });
  return createAgent({ model: world.model(), tools: [refunds], middleware, checkpointer: new MemorySaver() });
}

describe("an interrupt of a tool", () => {
  it("is no error: the run is suspended, and the tool runs again, in the same run, when it goes on", async () => {
    const { seen, told, plugin } = seeing();
    const agent = agentOf([plugin], questioning);
    const before = await agent.invoke(asks("Refund it."), config);
    const after = await agent.invoke(new Command({ resume: "red" }), config);
    expect(before).toMatchObject({ __interrupt__: [{ value: "Which colour for A-17?" }] });
    expect(world.prompts[1]).toContain("They said red.");
    expect(after.messages.at(-1)?.text).toBe("Done.");
    expect(seen.map(({ kind, ended }) => `${kind} ${ended}`)).toEqual([
      ...["agent suspended", "tool suspended"],
      ...["agent completed", "tool completed"],
    ]);
    expect(new Set(seen.map(({ runtime }) => runtime.runId)).size).toBe(1);
    expect(seen[0]?.runtime.sessionId).toBe("thread-7");
    const part = { type: "tool_call", id: "call_r", name: "refund", arguments: { order: "A-17" } };
    const pending = [{ reason: "input", part, question: "Which colour for A-17?" }];
    expect(told).toMatchObject([
      { type: "suspension", pending },
      { type: "resume", pending: [{ reason: "input", question: "Which colour for A-17?" }] },
    ]);
  });

  it.each(["messages", "updates", "values", "debug"] as const)("suspends a stream of %s", async (streamMode) => {
    const { seen, plugin } = seeing();
    const agent = agentOf([plugin], questioning);
    await collect(await agent.stream(asks("Refund it."), { ...config, streamMode }));
    expect(seen.map(({ ended }) => ended)).toEqual(["suspended", "suspended"]);
  });

  it("that has told of its progress before is none, either", async () => {
    const { seen, plugin } = seeing();
    const telling = tool(
      ({ order }, { writer }: langchain.ToolRuntime) => {
        writer?.("looking");
        return `They said ${interrupt(`Which colour for ${order}?`)}.`;
      },
      { name: "refund", schema },
    );
    const agent = agentOf([plugin], telling);
    const chunks = await collect(await agent.stream(asks("Refund it."), { ...config, streamMode: "custom" }));
    await agent.invoke(new Command({ resume: "red" }), config);
    expect([chunks, world.prompts[1]?.includes("They said red.")]).toEqual([["looking"], true]);
    expect(seen.map(({ ended }) => ended)).toEqual(["suspended", "suspended", "completed", "completed"]);
  });

  it("suspends events of version 3", async () => {
    const { seen, plugin } = seeing();
    const run = await agentOf([plugin], questioning).streamEvents(asks("Refund it."), { ...config, version: "v3" });
    await run.output;
    await eventually(() => seen.every(({ ended }) => ended !== undefined));
    expect([run.interrupted, seen.map(({ ended }) => ended)]).toEqual([true, ["suspended", "suspended"]]);
  });

  it("in an agent that is a tool of another suspends both, and both go on", async () => {
    const { seen, plugin } = seeing();
    const questions: string[] = [];
    const listening = definePlugin({
      name: "listening",
      async humanInput({ request }, callNext) {
        questions.push(request.question);
        await callNext();
      },
    });
    const { createAgent } = withPlugins(langchain, [plugin, listening]);
    const inner = createAgent({ model: world.model(), tools: [questioning], checkpointer: true });
    const asking = tool(async () => (await inner.invoke(asks("Refund it."))).messages.at(-1)?.text, {
      name: "ask",
      schema: z.object({}),
    });
    const outer = createAgent({ model: world.model(), tools: [asking], checkpointer: new MemorySaver() });
    world.server.script(
      { toolCalls: [{ name: "ask", arguments: {} }] },
      { toolCalls: [refund] },
      { text: "Inner." },
      { text: "Outer." },
    );
    await outer.invoke(asks("Hello."), config);
    const before = seen.splice(0).map(({ kind, ended }) => `${kind} ${ended}`);
    const { messages } = await outer.invoke(new Command({ resume: "red" }), config);
    // Once when they are asked, once with the answer.
    expect(questions).toEqual(["Which colour for A-17?", "Which colour for A-17?"]);
    expect(before).toEqual(["agent suspended", "tool suspended", "agent suspended", "tool suspended"]);
    expect(messages.at(-1)?.text).toBe("Outer.");
    expect(seen.map(({ ended }) => ended)).toEqual(["completed", "completed", "completed", "completed"]);
  });
});

it("durable state of a run is there when it goes on, also in another process", async () => {
  const used = stateKey("test.used", () => 0, { save: (count) => count, load: Number });
  const counts: number[] = [];
  const counting = () =>
    definePlugin({
      name: "counting",
      async model({ runtime }, callNext) {
        runtime.set(used, runtime.get(used) + 1);
        counts.push(runtime.get(used));
        await callNext();
      },
    });
  const saver = new MemorySaver();
  const agent = () =>
    withPlugins(langchain, [counting()]).createAgent({
      model: world.model(),
      tools: [questioning],
      checkpointer: saver,
    });
  world.server.script({ toolCalls: [refund] }, { text: "Done." }, { text: "New." });
  await agent().invoke(asks("Refund it."), config);
  await agent().invoke(new Command({ resume: "red" }), config);
  await agent().invoke(asks("Another."), config);
  expect(counts).toEqual([1, 2, 1]);
});

it("a reader who aborts events of version 3 ends the run as cancelled, and nothing stays open", async () => {
  const { seen, plugin } = seeing();
  world.server.script({ chunks: ["One. ", "Two. "], fault: { hang: { textPieces: 1 } } });
  const agent = withPlugins(langchain, [plugin]).createAgent({ model: world.model() });
  const run = await agent.streamEvents(asks("Hello."), { version: "v3" });
  const output = run.output.catch((error: unknown) => error);
  for await (const streamed of run.messages) {
    for await (const _ of streamed.text) break;
    break;
  }
  run.abort(new Error("enough"));
  await output;
  await eventually(() => seen.every(({ ended }) => ended !== undefined));
  expect(seen.map(({ kind, ended }) => `${kind} ${ended}`)).toEqual(["agent cancelled"]);
  expect(await world.server.requests[0]?.ended).toBe("closed");
});

describe("a request for approval", () => {
  it("passes through the humanInput layers before a person sees it, and so does the decision", async () => {
    const asked: unknown[] = [];
    const rewording = definePlugin({
      name: "rewording",
      async humanInput(invocation, callNext) {
        const { question, about } = invocation.request;
        invocation.request = { question: question.replace("A-17", "[ORDER]"), ...(about && { about }) };
        await callNext();
        invocation.pipe({
          chunk(answer, emit) {
            asked.push(answer);
            emit({ type: "edit", editedAction: { name: "refund", args: { order: "B-18" } } });
          },
        });
      },
    });
    const { told, plugin } = seeing();
    const agent = agentOf([rewording, plugin], refunding, [approving({ refund: true })]);
    const chunks = await collect(
      await agent.stream(asks("Refund it."), { ...config, streamMode: ["updates", "debug", "tasks"] }),
    );
    const shown = JSON.stringify(
      chunks.flatMap((chunk) => JSON.stringify(chunk).match(/"description":"(?:[^"\\]|\\.)*"/g) ?? []),
    );
    await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    expect([shown.includes("[ORDER]"), shown.includes("A-17")]).toEqual([true, false]);
    expect(asked).toEqual([{ type: "approve" }]);
    expect(world.prompts[1]).toContain("refunded B-18");
    const approval = told.filter(({ type }) => type === "approval");
    expect(approval).toMatchObject([{ toolCallId: "call_r", toolName: "refund", decision: "edited" }]);
  });

  it.each(["invoke", "stream"] as const)("that a layer decides on does not wait for anybody: %s", async (way) => {
    const approve = definePlugin({
      name: "approve",
      async humanInput(invocation) {
        invocation.respond({ value: true });
      },
    });
    const { seen, plugin } = seeing();
    const agent = agentOf([approve, plugin], refunding, [approving({ refund: true })]);
    if (way === "invoke") await agent.invoke(asks("Refund it."), config);
    else await collect(await agent.stream(asks("Refund it."), { ...config, streamMode: "messages" }));
    expect(world.prompts[1]).toContain("refunded A-17");
    expect(seen.map(({ kind, ended }) => `${kind} ${ended}`)).toEqual(["agent completed", "tool completed"]);
  });

  const deciding = (accepts: boolean) =>
    definePlugin({
      name: "deciding",
      approval: ({ approved }) => (approved !== undefined && accepts ? undefined : { question: "May it?" }),
    });

  it.each([
    ["refuses it", false, []],
    ["leaves it to the framework", true, [{ toolCallId: "call_r", toolName: "refund", decision: "approved" }]],
  ] as const)(
    "is reported as approved only if it counts: the plugin that asks for it %s",
    async (_, accepts, expected) => {
      const { told, plugin } = seeing();
      const agent = agentOf([deciding(accepts), plugin], refunding);
      await agent.invoke(asks("Refund it."), config);
      await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
      expect(world.prompts[1]?.includes("refunded A-17")).toBe(accepts);
      const approvals = told.filter(({ type }) => type === "approval");
      expect(approvals).toHaveLength(expected.length);
      expect(approvals).toMatchObject(expected);
    },
  );

  it.each([
    ["the call", "digest of the call", true],
    ["no call", undefined, true],
    ["another call", "digest of another call", false],
  ])("runs the tool on a decision that names %s: %p, %p", async (_, id, runs) => {
    const guard = definePlugin({
      name: "guard",
      approval: ({ approved }) => (approved === undefined ? { id: "digest of the call" } : undefined),
    });
    const agent = agentOf([guard], refunding);
    const first = await agent.invoke(asks("Refund it."), config);
    expect(first).toMatchObject({ __interrupt__: [{ value: { actionRequests: [{ id: "digest of the call" }] } }] });
    await agent.invoke(new Command({ resume: { decisions: [{ type: "approve", id }] } }), config);
    expect(world.prompts[1]?.includes("refunded A-17")).toBe(runs);
  });
});
