import { describe, expect, it } from "@jest/globals";
import { SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { approve, createAgent, defineTool } from "@suite/agent";
import { humanInTheLoop } from "@suite/approval";
import type { Plugin } from "@suite/core";
import { afterAgent, afterModel, beforeAgent, beforeModel } from "@suite/core/hooks";
import { toolCallLimit } from "@suite/limits";
import { tracing } from "@suite/tracing";
import { call, only, type Said, scripted, suspended } from "../../packages/agent/test/support.js";

function agentOf(plugins: readonly Plugin[], ...rounds: readonly Said[]) {
  const model = scripted(...rounds);
  const tool = (name: string) => defineTool({ name, execute: () => `${name} ran` });
  return { model, agent: createAgent({ name: "a", model, tools: ["pay", "look"].map(tool), plugins }) };
}

/** Plugins that write down when their hooks run. */
function logging(log: string[]) {
  const hooks = (name: string): readonly Plugin[] => [
    beforeAgent(() => void log.push(`before agent ${name}`), { name: `before agent ${name}` }),
    afterAgent(() => void log.push(`after agent ${name}`), { name: `after agent ${name}` }),
    afterModel(() => void log.push(`after model ${name}`), { name: `after model ${name}` }),
    { name: `end ${name}`, end: (_, { status }) => void log.push(`end ${name}: ${status}`) },
  ];
  return hooks;
}

describe("a run that waits for a person", () => {
  // In another system the hooks of plugins in front of the guard run only when the person has answered, or not again.
  it("runs all model hooks before it waits, regardless of the guard's position, and the run hooks again when it resumes", async () => {
    const log: string[] = [];
    const hooks = logging(log);
    const guard = humanInTheLoop({ pay: true });
    const { agent } = agentOf([...hooks("1"), guard, ...hooks("2")], [call("c", "pay")], "Done.");
    const pending = await suspended(agent.run("pay"));
    expect(log.filter((each) => each.startsWith("after model"))).toEqual(["after model 2", "after model 1"]);
    expect(log).toContain("end 1: suspended");
    log.length = 0;
    expect(await agent.run({ pending, decisions: [approve(only(pending))] })).toMatchObject({ text: "Done." });
    expect(log.slice(0, 2)).toEqual(["before agent 1", "before agent 2"]);
  });

  // In another system a call that was denied looks like one that ran.
  it("records a person's refusal on the tool's span as a failure, but not a call that ran", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const guard = humanInTheLoop({ pay: true }, { ask: () => ({ decision: "reject", message: "Too much." }) });
    const plugins = [tracing({ tracerProvider: provider }), guard];
    const { agent, model } = agentOf(plugins, [call("1", "pay"), call("2", "look")], "Done.");
    await agent.run("pay");
    const spans = exporter.getFinishedSpans();
    const named = (name: string) => spans.find((span) => span.name === `execute_tool ${name}`);
    expect(named("pay")?.status.code).toBe(SpanStatusCode.ERROR);
    expect(named("pay")?.attributes["error.type"]).toEqual(expect.any(String));
    expect(named("look")?.status.code).not.toBe(SpanStatusCode.ERROR);
    expect(JSON.stringify(model.asked[1]?.messages.at(-1))).toContain("Too much.");
  });
});

// In another system a jump to the end skips the hooks after the model, and an error the hooks after the run: nothing cleans up.
describe("a run that ends early", () => {
  it("runs the afterModel hooks of all entered plugins, and the afterAgent hooks, if one jumps to the end", async () => {
    const log: string[] = [];
    const hooks = logging(log);
    const stop = beforeModel(() => ({ jumpTo: "end" as const }), { canJumpTo: ["end"], name: "stop" });
    const { agent, model } = agentOf([...hooks("1"), stop, ...hooks("2")]);
    await agent.run("go");
    expect(model.asked).toHaveLength(0);
    expect(log.filter((each) => !each.startsWith("before"))).toEqual([
      "after model 1",
      "after agent 2",
      "after agent 1",
      "end 1: completed",
      "end 2: completed",
    ]);
  });

  it("ends in each plugin if a model or a hook throws", async () => {
    const log: string[] = [];
    const hooks = logging(log);
    const { agent } = agentOf([...hooks("1"), ...hooks("2")], new Error("overloaded"));
    await expect(agent.run("go")).rejects.toThrow("overloaded");
    expect(log.filter((each) => each.startsWith("end"))).toEqual(["end 1: failed", "end 2: failed"]);
  });
});

// In another system the messages for calls that were refused stand in front of the results of earlier calls that ran.
describe("a batch with refused calls", () => {
  it("has its results in the order of its calls", async () => {
    const limit = toolCallLimit({ toolName: "look", runLimit: 1, exitBehavior: "continue" });
    const batch = [call("1", "pay"), call("2", "look"), call("3", "look"), call("4", "pay")];
    const { agent, model } = agentOf([limit], batch, "Done.");
    await agent.run("go");
    const seen = model.asked[1]?.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool_call_response" ? [[part.id, part.isError === true]] : [])),
    );
    expect(seen?.map(([id]) => id)).toEqual(["1", "2", "3", "4"]);
    expect(JSON.stringify(model.asked[1]?.messages)).toMatch(/pay ran.*look ran.*limit.*pay ran/);
  });
});
