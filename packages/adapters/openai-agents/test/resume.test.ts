import { describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import { definePlugin, type Notification, type RuntimeContext, stateKey } from "@suite/core";
import { withPlugins } from "../src/index.js";
import { called, said, scripted } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const counted = stateKey("test.counted", () => 0, { save: (count) => count, load: Number });

/** A plugin with state that outlives a suspension, and what it was told. */
function counter() {
  const seen: { readonly runId: string; readonly count: number; readonly status: string }[] = [];
  const told: Notification[] = [];
  const plugin = definePlugin({
    name: "counter",
    async agent(invocation, callNext) {
      const { runtime } = invocation;
      runtime.set(counted, runtime.get(counted) + 1);
      const count = runtime.get(counted);
      await callNext();
      invocation.pipe({ settle: ({ status }) => void seen.push({ runId: runtime.runId, count, status }) });
    },
    observe(notification: Notification, _: RuntimeContext) {
      if (notification.type !== "attempt") told.push(notification);
    },
  });
  return { plugin, seen, told };
}

function desk(model: agents.Model) {
  const refund = agents.tool({
    ...{ name: "refund", description: "", needsApproval: true },
    parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    execute: async () => "refunded",
  });
  return new agents.Agent({ name: "desk", model, tools: [refund] });
}

/** A run that waits, the JSON of its state, and an agent made anew that goes on. */
async function waiting(stream: boolean) {
  const { plugin, seen, told } = counter();
  const { run } = withPlugins(agents, [plugin]);
  const { model } = scripted([called("refund")], [said("Done.")]);
  const first = stream ? await run(desk(model), "Hi", { stream }) : await run(desk(model), "Hi");
  if (first instanceof agents.StreamedRunResult) await first.completed;
  return { run, seen, told, agent: desk(model), text: first.state.toString(), interruptions: first.interruptions };
}

describe("a run that waits for an approval", () => {
  it.each([false, true])("is suspended, and goes on as the same run after JSON, streamed: %s", async (stream) => {
    const { run, seen, agent, text, interruptions } = await waiting(stream);
    expect(interruptions).toHaveLength(1);
    const state = await agents.RunState.fromString(agent, text);
    state.approve(state.getInterruptions()[0] as agents.RunToolApprovalItem);
    const last = stream ? await run(agent, state, { stream }) : await run(agent, state);
    if (last instanceof agents.StreamedRunResult) await last.completed;
    expect(last.finalOutput).toBe("Done.");
    const [one, other] = seen;
    expect(one).toMatchObject({ count: 1, status: "suspended" });
    expect(other).toEqual({ runId: one?.runId, count: 2, status: "completed" });
  });

  it("goes on as the same run where its state stays in the process", async () => {
    const { plugin, seen } = counter();
    const { run } = withPlugins(agents, [plugin]);
    const agent = desk(scripted([called("refund")], [said("Done.")]).model);
    const { state } = await run(agent, "Hi");
    state.approve(state.getInterruptions()[0] as agents.RunToolApprovalItem);
    await run(agent, state);
    expect(JSON.parse(state.toString())).not.toHaveProperty("suite");
    expect(seen.map(({ runId }) => runId)).toEqual([seen[0]?.runId, seen[0]?.runId]);
  });

  it.each(["approved", "rejected"] as const)(
    "tells plugins that it was suspended, and what was decided: %s",
    async (decision) => {
      const { run, told, agent, text } = await waiting(false);
      const state = await agents.RunState.fromString(agent, text);
      const [item] = state.getInterruptions() as [agents.RunToolApprovalItem];
      if (decision === "approved") state.approve(item);
      else state.reject(item, { message: "Not before Monday." });
      await run(agent, state);
      const about = { toolCallId: "call_refund", toolName: "refund" };
      expect(told.slice(0, 3)).toEqual([
        expect.objectContaining({ type: "suspension", pending: [expect.objectContaining({ reason: "approval" })] }),
        expect.objectContaining({ type: "resume", pending: [expect.objectContaining({ reason: "approval" })] }),
        expect.objectContaining({ type: "approval", ...about, decision }),
      ]);
      const denied = { type: "external_result", ...about, outcome: "denied", response: "Not before Monday." };
      expect(told.slice(3)).toEqual(decision === "approved" ? [] : [expect.objectContaining(denied)]);
    },
  );

  it("is taken by the SDK without plugins as well", async () => {
    const { agent, text } = await waiting(false);
    const state = await agents.RunState.fromString(agent, text);
    state.approve(state.getInterruptions()[0] as agents.RunToolApprovalItem);
    expect((await agents.run(agent, state)).finalOutput).toBe("Done.");
  });

  it("continues as a new run if the data in its JSON is invalid", async () => {
    const { run, seen, agent, text } = await waiting(false);
    const state = await agents.RunState.fromString(agent, JSON.stringify({ ...JSON.parse(text), suite: { runId: 7 } }));
    state.approve(state.getInterruptions()[0] as agents.RunToolApprovalItem);
    await run(agent, state);
    expect(seen[1]).toMatchObject({ count: 1, status: "completed" });
    expect(seen[1]?.runId).not.toBe(seen[0]?.runId);
  });
});

it("an agent that is a tool waits and goes on as the same run too, within the outer one", async () => {
  const { plugin, seen } = counter();
  const { run } = withPlugins(agents, [plugin]);
  const inner = scripted([called("refund")], [said("Refunded.")]).model;
  const outer = scripted([called("ask", { input: "Refund it." })], [said("Done.")]).model;
  const make = () =>
    new agents.Agent({ name: "outer", model: outer, tools: [desk(inner).asTool({ toolName: "ask" })] });
  const first = await run(make(), "Hi");
  expect(first.interruptions).toHaveLength(1);
  const agent = make();
  const state = await agents.RunState.fromString(agent, first.state.toString());
  state.approve(state.getInterruptions()[0] as agents.RunToolApprovalItem);
  expect((await run(agent, state)).finalOutput).toBe("Done.");
  const [innerBefore, outerBefore, innerAfter, outerAfter] = seen;
  expect(innerAfter).toEqual({ runId: innerBefore?.runId, count: 2, status: "completed" });
  expect(outerAfter).toEqual({ runId: outerBefore?.runId, count: 2, status: "completed" });
});

it.each([
  ["refuses the call", false, []],
  ["accepts it", true, [{ toolCallId: "call_refund", toolName: "refund", decision: "approved" }]],
] as const)(
  "an approval is reported only if it counts: the plugin that asks for it %s",
  async (_, accepts, expected) => {
    const { plugin, told } = counter();
    const deciding = definePlugin({
      name: "deciding",
      approval: ({ approved }) => (approved !== undefined && accepts ? undefined : { question: "May it?" }),
    });
    const { run } = withPlugins(agents, [plugin, deciding]);
    const { model, asked } = scripted([called("refund")], [said("Done.")]);
    const agent = desk(model);
    const { state } = await run(agent, "Hi");
    state.approve(state.getInterruptions()[0] as agents.RunToolApprovalItem);
    await run(agent, state);
    expect(JSON.stringify(asked[1]?.input).includes("refunded")).toBe(accepts);
    const approvals = told.filter(({ type }) => type === "approval");
    expect(approvals).toHaveLength(expected.length);
    expect(approvals).toMatchObject(expected);
  },
);
