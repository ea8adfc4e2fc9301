import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { metrics } from "@opentelemetry/api";
import type { ModelRequest, Plugin } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import type { TracingOptions } from "../src/index.js";
import { COUNTER, HISTOGRAM, PREVIOUS_HISTOGRAM, SUITE_HISTOGRAM, TOKEN_UNIT } from "../src/metrics/names.js";
import { conventions } from "./conventions.js";
import { Metering } from "./metering.js";
import { Harness, modelRequest, redactor, reply, startSdk, stopSdk, tool, words } from "./support.js";

let metering: Metering;
beforeEach(() => {
  metering = new Metering().register();
});
afterEach(async () => {
  await metering.stop();
  stopSdk();
});

const MODEL = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-5",
  "server.address": "api.openai.com",
  "server.port": 443,
};
const ANSWERED = { ...MODEL, "gen_ai.response.model": "gpt-5-2026" };
const points = async (name: string) => (await metering.read())[name]?.points ?? [];
const ask = async (harness: Harness, changes: Partial<ModelRequest> = {}, usage = {}) => {
  const answer = { ...reply("hi"), usage: { inputTokens: 9, outputTokens: 2, ...usage } };
  const run = harness.begin();
  const outcome = await harness.stack.call("model", run, modelRequest(changes), async (m) =>
    m.respond({ value: answer }),
  );
  await outcome.final();
  await run.end();
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("metrics of model calls", () => {
  it("count tokens per call and in total, once, with the requested and the answering model", async () => {
    await ask(new Harness(), {}, { cacheReadInputTokens: 4, cacheCreationInputTokens: 1, reasoningOutputTokens: 2 });
    await ask(new Harness(), {});
    const all = await metering.read();
    const summed = { ...ANSWERED, "gen_ai.token.modality": "unknown" };
    expect(all["gen_ai.client.inference.operation.input_tokens"]?.points).toMatchObject([
      { attributes: ANSWERED, count: 2, sum: 18 },
    ]);
    expect(all["gen_ai.client.inference.operation.output_tokens"]?.points).toMatchObject([{ count: 2, sum: 4 }]);
    for (const [name, sum] of [
      ["input_tokens", 18],
      ["output_tokens", 4],
      ["cache_read.input_tokens", 4],
      ["cache_write.input_tokens", 1],
      ["reasoning.output_tokens", 2],
    ] as const) {
      expect(all[`gen_ai.client.inference.usage.${name}`]?.points).toEqual([{ attributes: summed, count: 1, sum }]);
    }
  });

  it("are not counted again on the agent or on the agent around it, whatever the option for spans says", async () => {
    const harness = new Harness({ dialect: "agent-usage" });
    const run = harness.begin();
    const outcome = await harness.agent(run, async function* (call) {
      const inner = harness.begin({ parent: run, agent: { name: "helper" } });
      yield* await harness.agent(
        inner,
        async function* (at) {
          yield* await harness.chat(inner, () => words("a"), at);
        },
        undefined,
        call,
      );
      await inner.end();
    });
    await outcome.final();
    expect(await points("gen_ai.client.inference.usage.input_tokens")).toMatchObject([{ sum: 3 }]);
    expect(await points("gen_ai.client.inference.operation.input_tokens")).toMatchObject([{ count: 1, sum: 3 }]);
  });

  it("contain the duration, without an error if there was none", async () => {
    await ask(new Harness());
    const [point, ...others] = await points("gen_ai.client.inference.duration");
    expect(others).toEqual([]);
    expect(point).toMatchObject({ attributes: ANSWERED, count: 1 });
    expect(point?.sum).toBeLessThan(5);
  });

  it("say of a call that failed with what, and count no tokens", async () => {
    const { stack } = new Harness();
    const core = () => Promise.reject(Object.assign(new Error("for ann@example.com"), { code: "ECONNRESET" }));
    await expect(stack.call("model", stack.begin(), modelRequest(), core)).rejects.toThrow();
    const all = await metering.read();
    expect(Object.keys(all)).toEqual(["gen_ai.client.inference.duration"]);
    expect(all["gen_ai.client.inference.duration"]?.points).toMatchObject([
      { attributes: { ...MODEL, "error.type": "ECONNRESET" }, count: 1 },
    ]);
  });

  it("tell an abort from a consumer that stops reading", async () => {
    const harness = new Harness();
    for await (const _ of await harness.chat(harness.begin(), () => words("a", "b"))) break;
    const aborting = new AbortController();
    const outcome = await harness.chat(harness.begin({ signal: aborting.signal }), async function* () {
      yield* words("a");
      aborting.abort(new DOMException("too long", "TimeoutError"));
      await new Promise(() => {});
    });
    await expect(outcome.final()).rejects.toThrow("too long");
    const types = (await points("gen_ai.client.inference.duration")).map(({ attributes }) => attributes["error.type"]);
    expect(types).toEqual([undefined, "TimeoutError"]);
  });

  it("have the time to the first chunk and per chunk after it, where a stream was asked for", async () => {
    const harness = new Harness();
    const slow = async function* () {
      await pause(40);
      for await (const delta of words("a", "b")) {
        yield delta;
        await pause(20);
      }
    };
    await (await harness.chat(harness.begin(), slow)).final();
    const first = await points("gen_ai.client.inference.time_to_first_chunk");
    expect(first).toMatchObject([{ attributes: ANSWERED, count: 1 }]);
    expect(first[0]?.sum).toBeGreaterThan(0.03);
    const each = await points("gen_ai.client.inference.time_per_output_chunk");
    expect(each).toMatchObject([{ attributes: MODEL, count: 2 }]); // "b" and the finish
    expect(each[0]?.sum).toBeGreaterThan(0.03);
    expect(each[0]?.sum).toBeLessThan((first[0]?.sum ?? 0) + 0.2);
  });

  it("have no chunk times where no stream was asked for", async () => {
    const harness = new Harness();
    await (await harness.chat(harness.begin(), () => words("a", "b"), undefined, { stream: false })).final();
    await ask(harness);
    expect(Object.keys(await metering.read()).filter((name) => name.includes("chunk"))).toEqual([]);
  });

  it("are of what reached the model, and of nothing where a layer answered in its place", async () => {
    const cache: Plugin = {
      name: "cache",
      async model(call, next) {
        if (call.request.model === "cached") return call.respond({ value: reply("known") });
        call.request = { ...call.request, model: "small" };
        await next();
      },
    };
    await ask(new Harness({}, [cache]), { model: "cached" });
    expect(await metering.read()).toEqual({});
    await ask(new Harness({}, [cache]));
    expect(await points("gen_ai.client.inference.duration")).toMatchObject([
      { attributes: { "gen_ai.request.model": "small" } },
    ]);
  });
});

describe("metrics of tools", () => {
  const call = async (harness: Harness, name: string, execute?: () => unknown) =>
    (await harness.tool(harness.begin(), tool(name, execute), {})).final();

  it("say how long each took, and whether it failed", async () => {
    const harness = new Harness();
    await call(harness, "add", () => 1);
    await call(harness, "add", () => ({ isError: true }));
    await expect(call(harness, "add", () => Promise.reject(new TypeError("no")))).rejects.toThrow("no");
    const expected = { "gen_ai.tool.name": "add", "gen_ai.tool.type": "function", "gen_ai.agent.name": "support" };
    expect((await points("gen_ai.execute_tool.duration")).map(({ attributes }) => attributes)).toEqual([
      expected,
      { ...expected, "error.type": "tool_error" },
      { ...expected, "error.type": "TypeError" },
    ]);
  });

  it("carry no name that a model made up", async () => {
    const harness = new Harness();
    const core = () => Promise.reject(new Error("no such tool"));
    const request = { id: "c1", tool: tool("ann@example.com"), input: {} };
    await expect(harness.stack.call("tool", harness.begin(), request, core)).rejects.toThrow();
    expect((await points("gen_ai.execute_tool.duration"))[0]?.attributes["gen_ai.tool.name"]).toBe("_OTHER");
  });

  it("are none for a tool that is handed out, or that a guard did not let run", async () => {
    const gate: Plugin = {
      name: "gate",
      async tool() {
        throw new Error("not this one");
      },
    };
    await call(new Harness(), "refund").catch(() => {});
    await call(new Harness({}, [gate]), "refund", () => 1).catch(() => {});
    expect(await metering.read()).toEqual({});
  });
});

describe("metrics of agents", () => {
  const pending: readonly Pending[] = [
    { reason: "external", part: { type: "tool_call", id: "c1", name: "refund", arguments: {} } },
  ];

  it("say how long a turn took and how many calls it made itself, not its sub-agents", async () => {
    const harness = new Harness();
    const run = harness.begin({ userId: "user-1" });
    const outcome = await harness.agent(run, async function* (call) {
      yield* await harness.chat(run, () => words("a"), call);
      yield* await harness.chat(run, () => words("b"), call);
      const helper = tool("helper", async (_input, _runtime, at) => {
        const inner = harness.begin({ parent: run, agent: { name: "helper" } });
        const said = await harness.agent(
          inner,
          async function* (within) {
            yield* await harness.chat(inner, () => words("c"), within, { model: "small" });
          },
          undefined,
          at,
        );
        await said.final();
        await inner.end();
      });
      await (await harness.tool(run, helper, {}, call)).final();
    });
    await outcome.final();
    const all = await metering.read();
    const by = (name: string, agent: string) =>
      all[name]?.points.find(({ attributes }) => attributes["gen_ai.agent.name"] === agent);
    expect(by("gen_ai.invoke_agent.inference_calls", "support")).toMatchObject({ count: 1, sum: 2 });
    expect(by("gen_ai.invoke_agent.tool_calls", "support")).toMatchObject({ count: 1, sum: 1 });
    expect(by("gen_ai.invoke_agent.inference_calls", "helper")).toMatchObject({ count: 1, sum: 1 });
    expect(by("gen_ai.invoke_agent.tool_calls", "helper")).toMatchObject({ count: 1, sum: 0 });
    expect(by("gen_ai.invoke_agent.duration", "support")?.attributes).toEqual({
      "gen_ai.agent.name": "support",
      "gen_ai.request.model": "gpt-5",
    });
    expect(JSON.stringify(all)).not.toMatch(/user-1|conversation-1/);
  });

  describe("of a workflow", () => {
    const report = async (options: TracingOptions): Promise<void> => {
      const harness = new Harness(options);
      const run = harness.begin({ agent: { name: "report", operation: "workflow" } });
      const outcome = await harness.agent(run, async function* (call) {
        yield* await harness.chat(run, () => words("x"), call);
      });
      await outcome.final();
    };

    it("have its duration alone, told from those of agents by the operation", async () => {
      await report({});
      expect(await points("gen_ai.invoke_agent.duration")).toMatchObject([
        { count: 1, attributes: { "gen_ai.agent.name": "report", "gen_ai.operation.name": "invoke_workflow" } },
      ]);
      const all = await metering.read();
      expect(Object.keys(all).filter((name) => name.includes("agent"))).toEqual(["gen_ai.invoke_agent.duration"]);
    });

    it("have the names of before v0.1.0 in the dialect previous", async () => {
      await report({ dialect: "previous" });
      expect(await points("gen_ai.invoke_workflow.duration")).toMatchObject([
        { count: 1, attributes: { "gen_ai.workflow.name": "report" } },
      ]);
      expect(Object.keys(await metering.read()).filter((name) => name.includes("agent"))).toEqual([]);
    });
  });

  it.each<[TracingOptions, readonly string[]]>([
    [{}, ["gen_ai.client.embeddings.duration", "gen_ai.client.embeddings.operation.input_tokens"]],
    [{ dialect: "previous" }, ["gen_ai.client.operation.duration"]],
  ])("of embeddings have names of their own, in the options %j %j", async (options, names) => {
    const { stack } = new Harness(options);
    const value = { embeddings: [[1]], usage: { inputTokens: 7 }, response: { model: "e-1-2026" } };
    const request = { model: "e-1", provider: "openai", input: ["a"] };
    await (await stack.call("embedding", stack.begin(), request, async (e) => e.respond({ value }))).final();
    const all = await metering.read();
    expect(Object.keys(all).sort()).toEqual(names);
    if (names.length === 2) {
      expect(all["gen_ai.client.embeddings.operation.input_tokens"]?.points).toMatchObject([
        { count: 1, sum: 7, attributes: { "gen_ai.response.model": "e-1-2026" } },
      ]);
    }
  });

  it("name no model where a turn used several", async () => {
    const harness = new Harness();
    const run = harness.begin();
    const outcome = await harness.agent(run, async function* (call) {
      for (const model of ["a", "b", "b"]) yield* await harness.chat(run, () => words("x"), call, { model });
    });
    await outcome.final();
    expect((await points("gen_ai.invoke_agent.duration"))[0]?.attributes).toEqual({ "gen_ai.agent.name": "support" });
  });

  it("count a tool that ran elsewhere in the turn that its result came in, once; one that never ran in none", async () => {
    const harness = new Harness();
    const asking = harness.begin();
    const first = await harness.agent(asking, async function* (call) {
      yield* await harness.chat(asking, () => words("a"), call);
      await (await harness.tool(asking, tool("refund"), {}, call, "c1")).final().catch(() => {});
      return { suspended: pending };
    });
    await first.final().catch(() => {});
    const resumed = harness.begin();
    const second = await harness.agent(resumed, async function* (call) {
      const told = {
        type: "external_result",
        call,
        toolName: "refund",
        arguments: {},
        handedOutAt: 0,
        returnedAt: 1,
      } as const;
      for (const _ of [1, 2]) resumed.notify({ ...told, toolCallId: "c1", outcome: "completed" });
      resumed.notify({ ...told, toolCallId: "c2", outcome: "denied" });
      yield* words("done");
    });
    await second.final();
    expect(await points("gen_ai.invoke_agent.tool_calls")).toMatchObject([{ count: 2, sum: 1 }]);
    const [asked, ...others] = await points("gen_ai.invoke_agent.duration");
    expect(asked).toMatchObject({ count: 1, attributes: { "gen_ai.request.model": "gpt-5" } });
    expect(others).toMatchObject([{ count: 1, attributes: { "gen_ai.agent.name": "support" } }]);
  });
});

describe("all metrics", () => {
  it("pass the redactor of the run", async () => {
    await ask(new Harness({}, [{ name: "guard", redactor }]), { model: "tuned-by-ann@example.com" });
    const text = JSON.stringify(await metering.read());
    expect(text).toContain("tuned-by-[EMAIL]");
    expect(text).not.toContain("example.com");
  });

  it("need no tracer provider, and spans no meter provider; one that is registered later is noticed", async () => {
    const harness = new Harness();
    metrics.disable();
    const exporter = startSdk();
    await ask(harness);
    expect(await metering.read()).toEqual({});
    expect(exporter.getFinishedSpans()).toHaveLength(1);
    stopSdk();
    metering.register();
    await ask(harness);
    expect(await points("gen_ai.client.inference.duration")).toMatchObject([{ count: 1 }]);
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });

  it("go to the provider that code names, where it names one", async () => {
    metrics.disable();
    await ask(new Harness({ meterProvider: metering.provider }));
    expect(await points("gen_ai.client.inference.duration")).toMatchObject([{ count: 1 }]);
  });
});

describe("the names of metrics", () => {
  const released = Object.values(HISTOGRAM);
  const previous = Object.values(PREVIOUS_HISTOGRAM);

  it("are all client-side metrics of calls that the suite has, with the units and buckets of the conventions", () => {
    const theirs = Object.keys(conventions.metrics).filter(
      (name) =>
        /^(?:gen_ai\.(?:client\.(?:inference|operation|embeddings)|invoke_agent|execute_tool)|mcp\..*\.operation)/.test(
          name,
        ) && conventions.metrics[name]?.superseded_by === undefined,
    );
    expect([...released.map(({ name }) => name as string), ...Object.values(COUNTER)].sort()).toEqual(theirs.sort());
    for (const { name, unit, buckets, integer } of [...released, ...previous]) {
      expect(conventions.metrics[name]).toMatchObject({
        instrument: "histogram",
        unit,
        value_type: integer ? "int" : "double",
        explicit_bucket_boundaries: buckets,
      });
    }
    for (const name of Object.values(COUNTER)) {
      expect(conventions.metrics[name]).toMatchObject({ instrument: "counter", unit: TOKEN_UNIT, value_type: "int" });
    }
  });

  it("each have one kind of instrument, in whichever dialect", () => {
    const all = [...released, ...previous, ...Object.values(SUITE_HISTOGRAM)].map(({ name }) => name as string);
    const names = [...all, ...Object.values(COUNTER)];
    expect(new Set(names).size).toBe(names.length);
  });
});
