import { afterEach, describe, expect, it } from "@jest/globals";
import { trace } from "@opentelemetry/api";
import { Harness, outline, startSdk, stopSdk, tool, turn, words } from "./support.js";

afterEach(stopSdk);

describe("the tree of spans", () => {
  it("has model and tool calls below the agent, parallel tools as siblings", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    await (await turn(harness, run, ["add", "mul"])).final();
    await run.end();
    expect(outline(exporter.getFinishedSpans()).sort()).toEqual([
      "chat gpt-5 < invoke_agent support",
      "chat gpt-5 < invoke_agent support",
      "execute_tool add < invoke_agent support",
      "execute_tool mul < invoke_agent support",
      "invoke_agent support",
    ]);
  });

  it.each([["with AsyncLocalStorage", {}], ["without AsyncLocalStorage", { contextManager: null }] as const])(
    "nests a sub-agent under the tool call that it is, %s",
    async (_, sdk) => {
      const exporter = startSdk(sdk);
      const harness = new Harness();
      const run = harness.begin();
      const ask = tool("ask_expert", async (_input, runtime, call) => {
        const inner = harness.begin({ agent: { name: "expert" }, parent: runtime });
        const outcome = await harness.agent(
          inner,
          async function* (agent) {
            yield* await harness.chat(inner, () => words("42"), agent);
          },
          { messages: [] },
          call,
        );
        await outcome.final();
        await inner.end();
        return "42";
      });
      const outcome = await harness.agent(run, async function* (call) {
        await (await harness.tool(run, ask, {}, call)).final();
        yield* words("it is 42");
      });
      await outcome.final();
      await run.end();
      expect(outline(exporter.getFinishedSpans())).toEqual([
        "chat gpt-5 < invoke_agent expert",
        "invoke_agent expert < execute_tool ask_expert",
        "execute_tool ask_expert < invoke_agent support",
        "invoke_agent support",
      ]);
    },
  );

  it("keeps a span that the user opened in a tool between the tool and what runs inside it", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const lookUp = tool("look_up", (_input, _runtime, call) =>
      trace.getTracer("mine").startActiveSpan("my step", async (span) => {
        await (await harness.chat(run, () => words("x"), call)).final();
        span.end();
      }),
    );
    const outcome = await harness.agent(run, async function* (call) {
      await (await harness.tool(run, lookUp, {}, call)).final();
      yield* words("ok");
    });
    await outcome.final();
    expect(outline(exporter.getFinishedSpans())).toEqual([
      "chat gpt-5 < my step",
      "my step < execute_tool look_up",
      "execute_tool look_up < invoke_agent support",
      "invoke_agent support",
    ]);
  });

  it("makes the span current for a stream that produces lazily", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const lazily = async function* () {
      trace.getTracer("http").startSpan("POST").end();
      yield* words("a");
      trace.getTracer("http").startSpan("late").end();
    };
    await (await harness.chat(run, lazily)).final();
    expect(outline(exporter.getFinishedSpans())).toEqual(["POST < chat gpt-5", "late < chat gpt-5", "chat gpt-5"]);
  });

  it("hangs a run below the span that is active where it begins", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    await trace.getTracer("mine").startActiveSpan("request", async (span) => {
      const run = harness.begin();
      await (await turn(harness, run, [])).final();
      span.end();
    });
    expect(outline(exporter.getFinishedSpans())).toContain("invoke_agent support < request");
  });
});
