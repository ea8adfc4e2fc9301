import { describe, expect, it } from "@jest/globals";
import type { Notification, Plugin } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { brief, EMAIL, modelRequest, reply, scenario, toolRequest } from "../scenario.js";

const pending: Pending = {
  reason: "external",
  part: { type: "tool_call", id: "call_1", name: "refund", arguments: { to: EMAIL } },
};

describe("a notification", () => {
  const told: [Notification, object][] = [
    [
      { type: "guardrail", plugin: "pii", place: "input", decision: "modify", enforced: true, findings: { email: 2 } },
      {
        type: "guardrail",
        operation: "input",
        target: { name: "pii" },
        decision: "modify",
        details: { enforced: true, findings: { email: 2 } },
      },
    ],
    [
      {
        type: "decision",
        plugin: "cache",
        decision: "hit",
        enforced: true,
        place: "model",
        reason: "the same request",
        details: { age: 12 },
      },
      {
        type: "decision",
        operation: "model",
        target: { name: "cache" },
        decision: "hit",
        details: { enforced: true, reason: "the same request", facts: { age: 12 } },
      },
    ],
    [
      { type: "approval", toolCallId: "call_1", toolName: "refund", decision: "rejected", by: "kim" },
      { type: "approval", target: { name: "refund", id: "call_1" }, decision: "rejected", details: { by: "kim" } },
    ],
    [
      {
        type: "external_result",
        toolCallId: "call_1",
        toolName: "refund",
        arguments: {},
        outcome: "denied",
        handedOutAt: 0,
        returnedAt: 1000,
      },
      {
        type: "external_result",
        decision: "denied",
        outcome: { status: "cancelled" },
        details: { handedOutAt: "1970-01-01T00:00:00.000Z", returnedAt: "1970-01-01T00:00:01.000Z" },
      },
    ],
    [
      {
        type: "external_result",
        toolCallId: "call_1",
        toolName: "refund",
        arguments: {},
        outcome: "completed",
        handedOutAt: 0,
        startedAt: 1000,
        endedAt: 2000,
        returnedAt: 3000,
      },
      {
        type: "external_result",
        outcome: { status: "completed" },
        details: {
          handedOutAt: "1970-01-01T00:00:00.000Z",
          startedAt: "1970-01-01T00:00:01.000Z",
          endedAt: "1970-01-01T00:00:02.000Z",
          returnedAt: "1970-01-01T00:00:03.000Z",
        },
      },
    ],
    [
      { type: "limit", limit: "rounds", maximum: 10 },
      { type: "limit", target: { name: "rounds" }, details: { maximum: 10 } },
    ],
    [
      { type: "suspension", pending: [pending] },
      { type: "suspension", details: { pending: [{ reason: "external", id: "call_1", name: "refund" }] } },
    ],
    [{ type: "resume", pending: [pending] }, { type: "resume" }],
    [
      { type: "fault", where: "settle", error: new TypeError("x") },
      { type: "fault", outcome: { status: "failed", error: { type: "TypeError" } }, details: { where: "settle" } },
    ],
  ];

  it.each(told)("becomes one record: %j", async (notification, record) => {
    const { begin, records } = await scenario();
    const run = begin();
    run.notify(notification);
    await run.end();
    expect(await records()).toEqual([expect.objectContaining({ stage: "outcome", ...record })]);
  });
});

describe("an attempt that a retry inside gave up on", () => {
  const retry: Plugin = {
    name: "retry",
    tool: (_, next) => next().catch(next),
    reasoning: (_, next) => next().catch(next),
  };

  it("is one more outcome of its act, with its own times", async () => {
    const { act, records } = await scenario({}, { after: [retry] });
    let left = 1;
    await act("tool", toolRequest, async (call) => {
      if (left-- > 0) throw new TypeError("no such order");
      call.respond({ value: 1 });
    });
    const written = await records();
    expect(written.map(brief)).toEqual(["tool intent", "tool failed", "tool completed"]);
    expect(new Set(written.map(({ callId }) => callId)).size).toBe(1);
    expect(written[1]).toMatchObject({
      target: written[0]?.target,
      outcome: { error: { type: "TypeError" } },
      details: { attempt: 1, startedAt: expect.stringMatching(/^20.*Z$/), endedAt: expect.stringMatching(/^20.*Z$/) },
    });
  });

  it("is none where such acts are not recorded", async () => {
    const { act, records } = await scenario({}, { after: [retry] });
    let left = 1;
    await act("reasoning", modelRequest, async (call) => {
      if (left-- > 0) throw new TypeError("no");
      call.respond({ value: reply });
    });
    expect(await records()).toEqual([]);
  });

  it("is one record where audit is inside, since it has seen it itself", async () => {
    const { act, records } = await scenario({}, { before: [retry] });
    let left = 1;
    await act("tool", toolRequest, async (call) => {
      if (left-- > 0) throw new TypeError("no such order");
      call.respond({ value: 1 });
    });
    expect((await records()).map(brief)).toEqual(["tool intent", "tool failed", "tool intent", "tool completed"]);
  });
});
