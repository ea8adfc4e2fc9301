import { describe, expect, it } from "@jest/globals";
import { type AgentTool, createAgent, defineTool } from "@suite/agent";
import { call, codeOf, scripted, shown } from "./support.js";

const agentOf = (...tools: AgentTool[]) => {
  const model = scripted(
    tools.map(({ name }, index) => call(String(index), name)),
    "done",
  );
  return { model, agent: createAgent({ name: "a", model, tools }) };
};

/** A tool that yields without waiting, so often. */
function busy(times = Number.POSITIVE_INFINITY, name = "busy") {
  const made = { count: 0, closed: false };
  const tool = defineTool({
    name,
    async *execute() {
      try {
        while (made.count < times) yield made.count++;
      } finally {
        made.closed = true;
      }
    },
  });
  return { made, tool };
}

describe("what a tool's generator returns", () => {
  const tool = (execute: () => AsyncGenerator<unknown, unknown>) => agentOf(defineTool({ name: "steps", execute }));

  it("is the result, and what it yields is progress", async () => {
    const { agent, model } = tool(async function* () {
      yield "half";
      return { answer: 42 };
    });
    const progress: unknown[] = [];
    for await (const delta of agent.stream("go")) {
      if (delta.type === "event" && delta.name === "tool_progress")
        progress.push((delta.value as { progress: unknown }).progress);
    }
    expect([progress, shown(model.asked[1])]).toEqual([["half"], [{ answer: 42 }]]);
  });

  it("suspends no run, whatever it looks like", async () => {
    const { agent, model } = tool(async function* () {
      yield "half";
      return { suspended: [{ reason: "external" }] };
    });
    expect((await agent.run("go")).status).toBe("completed");
    expect(shown(model.asked[1])).toEqual([{ suspended: [{ reason: "external" }] }]);
  });

  it("may be null, and may be nothing: then the last value counts", async () => {
    const nothing = tool(async function* () {
      yield "last";
      return null;
    });
    await nothing.agent.run("go");
    expect(shown(nothing.model.asked[1])).toEqual([null]);
  });
});

describe("progress", () => {
  it("is made as fast as it is read, of each of several tools", async () => {
    const tools = [busy(Number.POSITIVE_INFINITY, "one"), busy(Number.POSITIVE_INFINITY, "other")];
    const stream = agentOf(...tools.map(({ tool }) => tool)).agent.stream("go");
    const reader = stream[Symbol.asyncIterator]();
    for (let count = 0; count < 12; count++) await reader.next();
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    const made = tools.map(({ made }) => made.count);
    expect(Math.max(...made)).toBeLessThan(20);
    await reader.return?.();
    expect(tools.map(({ made }) => made.closed)).toEqual([true, true]);
  });

  it("does not delay an abort if it is not read", async () => {
    const { made, tool } = busy();
    const signal = AbortSignal.timeout(30);
    expect(await codeOf(agentOf(tool).agent.run("go", { signal }))).toBe(DOMException.TIMEOUT_ERR);
    const then = made.count;
    await new Promise(setImmediate);
    expect(made.count - then).toBeLessThan(3);
  });

  it("is produced to its end even if it is not read", async () => {
    const { made, tool } = busy(5000);
    const { agent, model } = agentOf(tool);
    expect((await agent.run("go")).status).toBe("completed");
    expect([made.count, shown(model.asked[1])]).toEqual([5000, [4999]]);
  });
});

describe("progress of a tool that fails", () => {
  it("is told to its last piece", async () => {
    const tool = defineTool({
      name: "breaks",
      async *execute() {
        yield "one";
        yield "two";
        throw new Error("broken");
      },
    });
    const { agent, model } = agentOf(tool);
    const progress: unknown[] = [];
    for await (const delta of agent.stream("go")) {
      if (delta.type === "event" && delta.name === "tool_progress")
        progress.push((delta.value as { progress: unknown }).progress);
    }
    expect([progress, shown(model.asked[1])]).toEqual([["one", "two"], ["breaks failed: broken"]]);
  });
});
