import { describe, expect, it } from "@jest/globals";
import { spanOf } from "@suite/core/propagation";
import { recordEvaluation, TracingError, tracing } from "../src/index.js";
import { useReceiver } from "./receiving.js";
import { Harness, modelRequest, redactor, reply, turn } from "./support.js";
import { attributesOf } from "./wire.js";

const received = useReceiver({ logs: true });
const guarded = { name: "guard", redactor } as const;

describe("attributes of a run", () => {
  it("contain the user, the session and the program's additions on every span, and are computed once", async () => {
    let asked = 0;
    const attributes = () => {
      asked++;
      return { "tenant.id": "acme", owner: "ann@example.com", "gen_ai.operation.name": "mine" };
    };
    const harness = new Harness({ attributes }, [guarded]);
    const run = harness.begin({ userId: "bob@example.com" });
    await (await turn(harness, run, ["find"])).final();
    const outcome = await harness.agent(run, async function* (call) {
      const told = { call, toolCallId: "c9", toolName: "later", arguments: {}, outcome: "completed" } as const;
      run.notify({ type: "external_result", ...told, handedOutAt: Date.now(), returnedAt: Date.now() });
      yield* [];
    });
    await outcome.final();
    await run.end();
    const spans = await received.spans();
    expect(new Set(spans.map(({ name }) => name))).toEqual(
      new Set(["invoke_agent support", "chat gpt-5", "execute_tool find", "execute_tool later"]),
    );
    for (const span of spans) {
      expect(attributesOf(span)).toMatchObject({
        "user.id": "[EMAIL]",
        "session.id": "conversation-1",
        "tenant.id": "acme",
        owner: "[EMAIL]",
      });
      expect(attributesOf(span)["gen_ai.operation.name"]).not.toBe("mine");
    }
    expect(asked).toBe(1);
    const sent = await received.bodiesOf("metrics");
    expect(sent).not.toMatch(/user\.id|session\.id|tenant\.id/);
  });

  it("have the tenant of the run", async () => {
    const harness = new Harness({}, [guarded]);
    const run = harness.begin({ userId: "u1", tenantId: "acme" });
    await (await turn(harness, run, [])).final();
    await run.end();
    for (const span of await received.spans()) {
      expect(attributesOf(span)).toMatchObject({ "user.id": "u1", "tenant.id": "acme" });
    }
  });

  it("do not disturb a run where they cannot be had", async () => {
    const attributes = () => {
      throw new Error("no");
    };
    const harness = new Harness({ attributes });
    await (await turn(harness, harness.begin(), [])).final();
    expect(await received.attributes("invoke_agent support")).toEqual([
      expect.objectContaining({ "session.id": "conversation-1" }),
    ]);
  });
});

describe("cost", () => {
  const usage = { inputTokens: 1000, outputTokens: 100, cacheReadInputTokens: 400, cacheCreationInputTokens: 100 };
  const prices = { "gpt-5": { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 } };
  const chat = async (options: ConstructorParameters<typeof Harness>[0]): Promise<Record<string, unknown>> => {
    const harness = new Harness(options);
    const value = { ...reply("hi"), usage };
    await (
      await harness.stack.call("model", harness.begin(), modelRequest(), async (m) => m.respond({ value }))
    ).final();
    return (await received.attributes("chat gpt-5"))[0] ?? {};
  };

  it("is computed from the configured prices, cached tokens separately", async () => {
    // 500 at 2, 400 at 0.5, 100 at 4, 100 at 10, per million.
    const attributes = await chat({ prices });
    expect(attributes["suite.usage.cost"]).toBeCloseTo(0.0026, 10);
    expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(["gen_ai.usage.cost"]));
  });

  it("goes by the model that answered, where that has a price", async () => {
    const answered = { "gpt-5-2026": { input: 0, output: 1 } };
    expect((await chat({ prices: { ...prices, ...answered } }))["suite.usage.cost"]).toBeCloseTo(0.0001, 10);
  });

  it("also stands under the name of backends, by choice, and tokens written to the cache under theirs alone", async () => {
    const attributes = await chat({ prices, dialect: "langfuse" });
    expect(attributes["gen_ai.usage.cost"]).toBeCloseTo(0.0026, 10);
    expect(Number(attributes["gen_ai.usage.cache_creation.input_tokens"])).toBe(100);
    // Langfuse adds up what it does not know, too.
    expect(attributes).not.toHaveProperty(["gen_ai.usage.cache_write.input_tokens"]);
  });

  it("is not made of prices that are none", () => {
    expect(() => tracing({ prices: { "gpt-5": { input: -1, output: 1 } } })).toThrow(TracingError);
  });
});

describe("an evaluation", () => {
  it("stands on the ids of a span that has ended, redacted", async () => {
    const harness = new Harness();
    let ids: ReturnType<typeof spanOf>;
    const outcome = await harness.stack.call("model", harness.begin(), modelRequest(), async (m) => {
      m.respond({ value: reply("hi") });
      ids = spanOf(m.call);
    });
    await outcome.final();
    const [span] = await received.spans();
    if (ids === undefined) throw new Error("the call has no span");
    const feedback = { name: "user_feedback", value: 0, label: "thumbs_down", explanation: "not ann@example.com" };
    expect(recordEvaluation(ids, { ...feedback, responseId: "resp-1" }, { redactor })).toBe(true);
    const sent = await received.bodiesOf("logs");
    const record = (JSON.parse(sent) as LogRequest).resourceLogs[0]?.scopeLogs[0]?.logRecords[0];
    expect(record).toMatchObject({
      eventName: "gen_ai.evaluation.result",
      traceId: span?.traceId,
      spanId: span?.spanId,
    });
    expect(record && attributesOf(record)).toEqual({
      "gen_ai.evaluation.name": "user_feedback",
      "gen_ai.evaluation.score.value": 0,
      "gen_ai.evaluation.score.label": "thumbs_down",
      "gen_ai.evaluation.explanation": "not [EMAIL]",
      "gen_ai.response.id": "resp-1",
    });
  });

  it("logs that it was not recorded if there is no logger", async () => {
    await received.stop();
    expect(recordEvaluation({ traceId: "0".repeat(31).concat("1"), spanId: "1".repeat(16) }, { name: "x" })).toBe(
      false,
    );
  });
});

interface LogRequest {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly { readonly logRecords: readonly Parameters<typeof attributesOf>[0][] }[];
  }[];
}
