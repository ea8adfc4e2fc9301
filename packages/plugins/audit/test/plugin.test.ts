import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { MiddlewareTermination, type Notification, type Pending, type Plugin } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import type { ContentLevel } from "../src/index.js";
import { brief, CARD, EMAIL, modelRequest, redactor, reply, scenario, toolRequest } from "./scenario.js";
import { logFiles } from "./support.js";

const pending: Pending = {
  reason: "external",
  part: { type: "tool_call", id: "call_1", name: "refund", arguments: { to: EMAIL } },
};
const guard: Plugin = { name: "guard", redactor };

const endings: [string, CallCore<"tool">, string][] = [
  ["completes", async (tool) => tool.respond({ value: { done: true } }), "completed"],
  [
    "streams and completes",
    async (tool) =>
      tool.respond({
        stream: (async function* () {
          yield 1;
          yield 2;
        })(),
      }),
    "completed",
  ],
  [
    "throws",
    async () => {
      throw new TypeError("no such order");
    },
    "failed",
  ],
  [
    "fails in mid-stream",
    async (tool) =>
      tool.respond({
        stream: (async function* () {
          yield 1;
          throw new TypeError("cut");
        })(),
      }),
    "failed",
  ],
  ["is suspended", async (tool) => tool.respond({ suspended: [pending] }), "suspended"],
];

describe("a record of each act", () => {
  it.each(endings)("is written before, and once after, a tool that %s", async (_name, core, status) => {
    const { act, records } = await scenario();
    await act("tool", toolRequest, core);
    const written = await records();
    expect(written.map(brief)).toEqual(["tool intent", `tool ${status}`]);
    expect(new Set(written.map(({ callId }) => callId)).size).toBe(1);
  });

  it("says who, for whom, in which run, and on what", async () => {
    const { act, records } = await scenario({ span: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16) }) });
    await act("model", modelRequest, async (model) => model.respond({ value: reply }));
    expect((await records())[0]).toEqual({
      version: 1,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      stage: "intent",
      type: "model",
      operation: "chat",
      runId: expect.any(String),
      sessionId: "s-1",
      callId: expect.any(String),
      traceId: "a".repeat(32),
      spanId: "b".repeat(16),
      actor: { agent: "support", agentId: "agent-7", onBehalfOf: "u-1" },
      target: { name: "gpt-5", provider: "openai" },
    });
  });

  it("covers agent, model, tool and questions to a person", async () => {
    const { stack, begin, records } = await scenario();
    const run = begin();
    const agent = await stack.call("agent", run, { messages: [] }, async (outer) => {
      await (
        await stack.call("model", run, modelRequest, async (c) => c.respond({ value: reply }), outer.call)
      ).final();
      await (
        await stack.call("humanInput", run, { question: "sure?" }, async (c) => c.respond({ value: "yes" }), outer.call)
      ).final();
      outer.respond({ value: reply });
    });
    await agent.final();
    await run.end();
    const written = await records();
    expect(written.map(brief)).toEqual([
      "agent intent",
      "model intent",
      "model completed",
      "human_input intent",
      "human_input completed",
      "agent completed",
    ]);
    expect(written[1]?.parentCallId).toBe(written[0]?.callId);
  });

  it.each(["aborted", "never read", "abandoned"])("says cancelled where an answer is %s", async (how) => {
    const { stack, begin, records } = await scenario();
    const controller = new AbortController();
    const run = begin({ signal: controller.signal });
    const endless = (async function* () {
      for (;;) {
        await sleep(1);
        yield { type: "part", at: "0", part: { type: "text", content: "x" } } as const;
      }
    })();
    const outcome = await stack.call("model", run, modelRequest, async (c) => c.respond({ stream: endless }));
    if (how !== "never read") {
      const read = (async () => {
        for await (const _chunk of outcome) {
          if (how === "abandoned") break;
          controller.abort(new Error("the user left"));
        }
      })();
      await read.catch(() => {});
    }
    await run.end();
    expect((await records()).map(brief)).toEqual(["model intent", "model cancelled"]);
  });

  it("is written for every attempt of a retry outside", async () => {
    const retry: Plugin = {
      name: "retry",
      async model(_invocation, callNext) {
        await callNext().catch(() => callNext());
      },
    };
    const { act, records } = await scenario({}, { before: [retry] });
    let attempts = 0;
    await act("model", modelRequest, async (c) => {
      if (attempts++ === 0) throw new Error("429");
      c.respond({ value: reply });
    });
    expect((await records()).map(brief)).toEqual(["model intent", "model failed", "model intent", "model completed"]);
  });

  it("passes on what was thrown, unchanged, and tells its type and code, not its message", async () => {
    const { act, records } = await scenario();
    const error = Object.assign(new RangeError(`no card ${CARD}`), { code: "E_CARD" });
    expect(
      await act("tool", toolRequest, async () => {
        throw error;
      }),
    ).toBe(error);
    expect((await records())[1]?.outcome).toEqual({ status: "failed", error: { type: "RangeError", code: "E_CARD" } });
  });

  it("is failed where a layer further in ends the call", async () => {
    const stop: Plugin = {
      name: "stop",
      async tool() {
        throw new MiddlewareTermination("no", { scope: "call" });
      },
    };
    const { act, records } = await scenario({}, { after: [stop] });
    await act("tool", toolRequest, async (c) => c.respond({ value: 1 }));
    expect((await records())[1]?.outcome?.error).toEqual({
      type: "MiddlewareTermination",
      code: "ERR_MIDDLEWARE_TERMINATED",
    });
  });

  it("is failed where nothing has answered, and the complaint is core's own", async () => {
    const mute: Plugin = { name: "mute", async tool() {} };
    const { act, records } = await scenario({}, { after: [mute] });
    expect(await act("tool", toolRequest, async (c) => c.respond({ value: 1 }))).toMatchObject({
      code: "ERR_NO_ANSWER",
    });
    expect((await records()).map(brief)).toEqual(["tool intent", "tool failed"]);
  });
});

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

describe("content", () => {
  const contentsAt = async (content: ContentLevel, after: Plugin[] = []) => {
    const made = await scenario({ policy: { content } }, { after });
    await made.act("tool", toolRequest, async (c) => c.respond({ value: [EMAIL] }));
    await made.act("tool", toolRequest, async () => {
      throw new Error(`no ${EMAIL}`);
    });
    const [intent, outcome, , failed] = await made.records();
    return {
      intent: intent?.content,
      outcome: outcome?.content,
      message: failed?.outcome?.error?.message,
      warnings: made.warnings,
    };
  };

  it("is not there by default", async () => {
    expect(await contentsAt("none")).toEqual({
      intent: undefined,
      outcome: undefined,
      message: undefined,
      warnings: [],
    });
  });

  it("is types, sizes and names as metadata", async () => {
    const { intent, outcome, message } = await contentsAt("metadata");
    expect(intent).toEqual({
      type: "object",
      fields: { to: { type: "string", length: EMAIL.length }, card: { type: "number" } },
      others: 1,
    });
    expect(outcome).toEqual({ type: "array", length: 1, characters: EMAIL.length });
    expect(message).toBeUndefined();
  });

  it("is redacted, names of members and long numbers too", async () => {
    const { intent, outcome, message, warnings } = await contentsAt("redacted", [guard]);
    expect(intent).toEqual({ to: "[REDACTED]", "[REDACTED]": 1, card: "[REDACTED]" });
    expect(outcome).toEqual(["[REDACTED]"]);
    expect(message).toBe("no [REDACTED]");
    expect(warnings).toEqual([]);
  });

  it("falls back to metadata, and says so once, where redaction is asked for and nobody redacts", async () => {
    const { intent, message, warnings } = await contentsAt("redacted");
    expect(intent).toMatchObject({ type: "object" });
    expect(message).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("@suite/pii")]);
  });

  it("is as it was where all is asked for and nobody redacts, and that is said once", async () => {
    const { intent, warnings } = await contentsAt("full");
    expect(intent).toEqual({ to: EMAIL, [EMAIL]: 1, card: CARD });
    expect(warnings).toHaveLength(1);
  });

  it("is given by the first rule that matches", async () => {
    const { act, records } = await scenario({
      policy: {
        content: [
          { type: "tool", target: "ref*", stage: "outcome", content: "none" },
          { type: ["tool", "agent"], target: ["pay", "refund"], content: "full" },
          { content: "metadata" },
        ],
      },
    });
    await act("tool", toolRequest, async (c) => c.respond({ value: 1 }));
    await act("tool", { ...toolRequest, tool: { name: "look" } }, async (c) => c.respond({ value: 1 }));
    expect((await records()).map(({ content }) => content)).toEqual([
      toolRequest.input,
      undefined,
      expect.objectContaining({ type: "object" }),
      { type: "number" },
    ]);
  });

  it("survives whatever a tool gives", async () => {
    const { act, records } = await scenario({ policy: { content: "full" } });
    const cycle: Record<string, unknown> = {
      big: 2n ** 80n,
      half: "\ud83d",
      nan: Number.NaN,
      huge: "x".repeat(5_000_000),
    };
    cycle.self = cycle;
    await act("tool", { ...toolRequest, input: cycle }, async (c) => c.respond({ value: "y".repeat(100_000) }));
    const [intent, outcome] = await records();
    expect(intent?.content).toMatchObject({
      self: "[cycle]",
      half: "\ufffd",
      nan: "NaN",
      huge: "[5000000 characters left out]",
    });
    expect(outcome?.content).toEqual({ leftOut: { bytes: 100_002, sha256: expect.any(String) } });
  });
});

describe("with a redactor, in whatever order of plugins", () => {
  const places: [string, { before?: Plugin[]; after?: Plugin[] }][] = [
    ["outside", { before: [guard] }],
    ["inside", { after: [guard] }],
  ];
  it.each(places)("no personal data reaches the file, with the guard %s", async (_name, others) => {
    const made = await scenario({ policy: { content: "full" } }, others);
    const person = { agent: { name: `agent of ${EMAIL}` } };
    await made.act("model", modelRequest, async (c) => c.respond({ value: reply }), person);
    await made.act(
      "tool",
      toolRequest,
      async () => {
        throw new Error(`no ${EMAIL}`, { cause: EMAIL });
      },
      person,
    );
    await made.act("tool", { ...toolRequest, tool: { name: EMAIL } }, async (c) => c.respond({ suspended: [pending] }));
    await made.act("humanInput", { question: `may ${EMAIL}?`, about: pending.part }, async (c) =>
      c.respond({ value: EMAIL }),
    );
    const run = made.begin();
    run.notify({ type: "fault", where: EMAIL, error: EMAIL });
    run.notify({
      type: "guardrail",
      plugin: EMAIL,
      place: "input",
      decision: "block",
      enforced: true,
      findings: { [EMAIL]: 1 },
    });
    run.notify({ type: "approval", toolCallId: "1", toolName: EMAIL, decision: "approved", by: EMAIL });
    run.notify({ type: "suspension", pending: [pending] });
    run.notify({ type: "limit", limit: EMAIL, maximum: CARD });
    run.notify({
      type: "external_result",
      toolCallId: "1",
      toolName: EMAIL,
      arguments: { [EMAIL]: EMAIL },
      response: CARD,
      outcome: "failed",
      handedOutAt: 1,
      returnedAt: 2,
    });
    await run.end();
    expect(await made.records()).toHaveLength(14);
    const [file = ""] = await logFiles(made.dir);
    const stored = await readFile(join(made.dir, file), "utf8");
    expect(stored).toContain("[REDACTED]");
    expect(stored).not.toMatch(/jane|4111111111111111/);
  });

  it("nothing is written of what a broken redactor should have seen", async () => {
    const broken: Plugin = {
      name: "broken",
      redactor: {
        redact: () => {
          throw new Error();
        },
        value: () => {
          throw new Error();
        },
      },
    };
    const { act, records } = await scenario({ policy: { content: "full" } }, { after: [broken] });
    await act("tool", toolRequest, async (c) => c.respond({ value: EMAIL }));
    const written = await records();
    expect(written.map(brief)).toEqual(["tool intent", "tool completed"]);
    expect(JSON.stringify(written)).not.toContain("jane");
  });
});
