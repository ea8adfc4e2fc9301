import { afterEach, describe, expect, it } from "@jest/globals";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import type { CallId, Notification, Plugin } from "@suite/core";
import { Harness, redactor, spanNamed, startSdk, stopSdk, tool, words } from "./support.js";

afterEach(stopSdk);

/** The events on the spans of a run in which a tool is called and something is told meanwhile. */
const told = async (notification: Notification, plugins: readonly Plugin[] = []) => {
  const exporter = startSdk();
  const harness = new Harness({}, plugins);
  const run = harness.begin();
  const outcome = await harness.agent(run, async function* (call) {
    const add = tool("add", (_input, runtime, id) => runtime.notify({ ...notification, call: id } as Notification));
    await (await harness.tool(run, add, {}, call)).final();
    run.notify(notification);
    yield* words("ok");
  });
  await outcome.final();
  const events = (name: string) =>
    spanNamed(exporter.getFinishedSpans(), name).events.map((event) => [event.name, event.attributes]);
  return { tool: events("execute_tool add"), agent: events("invoke_agent support"), exporter };
};

describe("what is told beside the call path", () => {
  it.each<[string, Notification, unknown[]]>([
    [
      "a guardrail's decision",
      {
        type: "guardrail",
        plugin: "pii",
        place: "tool_arguments",
        decision: "block",
        enforced: false,
        findings: { email: 2 },
      },
      [
        [
          "suite.guardrail",
          {
            "suite.guardrail.plugin": "pii",
            "suite.guardrail.place": "tool_arguments",
            "suite.guardrail.decision": "block",
            "suite.guardrail.enforced": false,
            "suite.guardrail.findings": '{"email":2}',
          },
        ],
      ],
    ],
    [
      "a decision of any plugin, with its reason and facts, without those that are too long",
      {
        type: "decision",
        plugin: "cache",
        decision: "hit",
        enforced: true,
        place: "model",
        reason: "asked by ann@example.com",
        details: { age: 12, shared: false, key: "k1", long: "x".repeat(2000) },
      },
      [
        [
          "suite.decision",
          {
            "suite.decision.name": "hit",
            "suite.decision.plugin": "cache",
            "suite.decision.enforced": true,
            "suite.decision.place": "model",
            "suite.decision.reason": "asked by [EMAIL]",
            "suite.decision.detail.age": 12,
            "suite.decision.detail.shared": false,
            "suite.decision.detail.key": "k1",
          },
        ],
      ],
    ],
    [
      "an approval",
      { type: "approval", toolCallId: "call-1", toolName: "add", decision: "rejected", by: "ann@example.com" },
      [
        [
          "suite.approval",
          {
            "gen_ai.tool.name": "add",
            "gen_ai.tool.call.id": "call-1",
            "suite.approval.decision": "rejected",
            "suite.approval.by": "[EMAIL]",
          },
        ],
      ],
    ],
    [
      "a limit",
      { type: "limit", limit: "rounds", maximum: 8 },
      [["suite.limit", { "suite.limit.name": "rounds", "suite.limit.maximum": 8 }]],
    ],
    [
      "a suspension",
      {
        type: "suspension",
        pending: [{ reason: "approval", part: { type: "tool_call", id: "c9", name: "refund", arguments: {} } }],
      },
      [
        [
          "suite.suspended",
          { "suite.pending.reason": "approval", "gen_ai.tool.name": "refund", "gen_ai.tool.call.id": "c9" },
        ],
      ],
    ],
    [
      "a fault",
      { type: "fault", where: "settle", error: new TypeError("of ann@example.com") },
      [
        [
          "suite.fault",
          {
            "suite.fault.where": "settle",
            "exception.type": "TypeError",
            "exception.message": "of [EMAIL]",
          },
        ],
      ],
    ],
  ])("puts %s on the span of the call it is about, else on the run's, redacted", async (_, notification, events) => {
    const stands = await told(notification, [{ name: "guard", redactor }]);
    expect(stands.tool).toEqual(events);
    expect(stands.agent).toEqual(events);
  });

  it("says on the span of a tool call what people decided about it before it ran", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    run.notify({ type: "approval", toolCallId: "call-1", toolName: "add", decision: "approved" });
    await (
      await harness.tool(
        run,
        tool("add", () => 1),
        {},
      )
    ).final();
    expect(spanNamed(exporter.getFinishedSpans(), "execute_tool add").attributes["suite.approval.decision"]).toBe(
      "approved",
    );
  });

  it("writes to the run's span what is told of a call that has ended, and nothing once the run has", async () => {
    const complaints: unknown[] = [];
    const complain = (...said: unknown[]) => void complaints.push(said);
    const logger = { error: complain, warn: complain, info: complain, debug: complain, verbose: complain };
    diag.setLogger(logger, DiagLogLevel.WARN);
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const told = (call?: CallId) => run.notify({ type: "limit", limit: "x", maximum: 1, ...(call && { call }) });
    let ended: CallId | undefined;
    const outcome = await harness.agent(run, async function* (call) {
      const add = tool("add", (_input, _runtime, id) => {
        ended = id;
      });
      await (await harness.tool(run, add, {}, call)).final();
      told(ended);
      yield* words("ok");
    });
    await outcome.final();
    told(ended);
    told();
    diag.disable();
    expect(spanNamed(exporter.getFinishedSpans(), "execute_tool add").events).toHaveLength(0);
    expect(spanNamed(exporter.getFinishedSpans(), "invoke_agent support").events).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
