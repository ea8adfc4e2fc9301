import { afterEach, expect, it } from "@jest/globals";
import type { Notification } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { Harness, spanNamed, startSdk, stopSdk, tool, words } from "./support.js";

// Models give calls of different rounds the same id.
afterEach(stopSdk);

const waitingFor = (reason: Pending["reason"]): Pending => ({
  reason,
  part: { type: "tool_call", id: "c1", name: "refund", arguments: {} },
});
const about = { toolCallId: "c1", toolName: "refund" } as const;
const approved: Notification = { type: "approval", ...about, decision: "approved" };
const returned = (): Notification => {
  const times = { handedOutAt: Date.now() - 10, returnedAt: Date.now() };
  return { type: "external_result", ...about, arguments: {}, outcome: "completed", ...times };
};

/** One turn of a run, which is told something first, and waits in the end if it has to. */
async function turn(durable: Record<string, unknown>, told: readonly Notification[], waiting: readonly Pending[]) {
  const exporter = startSdk();
  const harness = new Harness();
  const run = harness.begin({ runId: "run-1", durable });
  const outcome = await harness.agent(run, async function* (call) {
    for (const each of told) run.notify({ ...each, call });
    yield* words("one moment");
    if (waiting.length === 0) return;
    run.notify({ type: "suspension", call, pending: waiting });
    return { suspended: waiting };
  });
  await outcome.final().catch(() => {});
  const saved = run.save();
  await run.end();
  const spans = exporter.getFinishedSpans();
  stopSdk();
  return { saved, spans, span: spanNamed(spans, "invoke_agent support") };
}

it("joins a call from elsewhere with the turn that asked for it, not with one that asked for approval under its id", async () => {
  const first = await turn({}, [], [waitingFor("approval")]);
  const second = await turn(first.saved, [approved], [waitingFor("external")]);
  const third = await turn(second.saved, [returned()], []);
  const compensating = spanNamed(third.spans, "execute_tool refund");
  expect(compensating.parentSpanContext?.spanId).toBe(second.span.spanContext().spanId);
  expect(compensating.attributes["suite.tool.external"]).toBe(true);
});

it("says of a call that it was approved only if it was that call", async () => {
  const exporter = startSdk();
  const harness = new Harness();
  const run = harness.begin();
  run.notify(approved);
  for (const name of ["refund", "look_up"]) {
    const outcome = await harness.tool(
      run,
      tool(name, () => 1),
      {},
      undefined,
      "c1",
    );
    await outcome.final();
  }
  const decided = exporter.getFinishedSpans().map((span) => [span.name, span.attributes["suite.approval.decision"]]);
  expect(decided).toEqual([
    ["execute_tool refund", "approved"],
    ["execute_tool look_up", undefined],
  ]);
});
