import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { MiddlewareTermination, type Plugin } from "@suite/core";
import type { CallCore } from "@suite/core/adapter";
import type { Pending } from "@suite/core/contract";
import { brief, CARD, EMAIL, modelRequest, reply, scenario, toolRequest } from "../scenario.js";

const pending: Pending = {
  reason: "external",
  part: { type: "tool_call", id: "call_1", name: "refund", arguments: { to: EMAIL } },
};

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
  ["answers that it failed", async (tool) => tool.respond({ value: "no such order", isError: true }), "failed"],
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

  it("contains the purpose of a model call of a plugin", async () => {
    const { act, records } = await scenario();
    await act("model", { ...modelRequest, purpose: "summarize" }, async (model) => model.respond({ value: reply }));
    await act("model", modelRequest, async (model) => model.respond({ value: reply }));
    const written = await records();
    expect(written.map(brief)).toEqual(["model intent", "model completed", "model intent", "model completed"]);
    expect(written.map(({ details }) => details)).toEqual([
      { purpose: "summarize" },
      { purpose: "summarize" },
      undefined,
      undefined,
    ]);
  });

  it("is written of requests for embeddings and searches, with texts and documents as content, and no vectors", async () => {
    const { begin, stack, records } = await scenario({ policy: { content: "full" } });
    const run = begin();
    const embedded = await stack.call("embedding", run, { model: "e", provider: "openai", input: ["sky"] }, async (c) =>
      c.respond({ value: { embeddings: [[0.25]], usage: { inputTokens: 1 } } }),
    );
    await embedded.final();
    const found = await stack.call("retrieval", run, { query: "sky", source: "kb" }, async (c) =>
      c.respond({ value: { documents: [{ id: "d", content: "blue" }] } }),
    );
    await found.final();
    await run.end();
    expect(await records()).toMatchObject([
      {
        type: "embedding",
        operation: "embeddings",
        target: { name: "e", provider: "openai" },
        content: { input: ["sky"] },
      },
      { type: "embedding", content: { count: 1, usage: { inputTokens: 1 } } },
      { type: "retrieval", operation: "retrieval", target: { name: "kb" }, content: { query: "sky" } },
      { type: "retrieval", content: [{ id: "d", content: "blue" }] },
    ]);
  });

  it("is written of operations on a memory: which, on what store and record, with query and records as content", async () => {
    const { begin, records } = await scenario({ policy: { content: "full" } });
    const run = begin();
    const parent = run.identify("tool", undefined);
    const store = "notes";
    const found = [{ id: "m1", content: "blue" }];
    await run.memory({ operation: "search_memory", store, query: "sky", limit: 2 }, () => ({ records: found }), {
      parent,
    });
    await run.memory({ operation: "upsert_memory", store, records: found }, () => ({}), { parent });
    await run.memory({ operation: "delete_memory", ids: ["m1"] }, () => ({ count: 1 }), { parent });
    await run.end();
    const type = "memory";
    const target = { name: "notes", id: "m1" };
    expect(await records()).toMatchObject([
      { type, operation: "search_memory", target: { name: "notes" }, content: { query: "sky", limit: 2 } },
      { type, operation: "search_memory", outcome: { status: "completed" }, content: { records: found } },
      { type, operation: "upsert_memory", target, content: { records: found } },
      { type, operation: "upsert_memory", target, outcome: { status: "completed" } },
      { type, operation: "delete_memory", target: { name: "memory", id: "m1" }, content: { ids: ["m1"] } },
      { type, operation: "delete_memory", outcome: { status: "completed" }, content: { count: 1 } },
    ]);
  });

  it("contains the actor, the subject, the run and the target", async () => {
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

  it.each(["aborted", "never read", "abandoned"])("records cancelled if an answer is %s", async (how) => {
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
