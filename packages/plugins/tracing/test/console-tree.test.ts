import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { duration } from "../src/node/console/terminal.js";
import { consoleTree } from "../src/node.js";
import { Harness, stopSdk, tool, words } from "./support.js";

let written = "";
let provider: NodeTracerProvider;
beforeEach(() => {
  written = "";
  const write = (text: string) => {
    written += text;
  };
  provider = new NodeTracerProvider({ spanProcessors: [consoleTree({ write })] });
  provider.register();
});
afterEach(stopSdk);

const withoutTimes = (text: string) => text.replaceAll(/ [\d.]+(?:ms|s)\b/g, "");

it("prints a run as a tree when it has ended, with tokens, decisions and errors", async () => {
  const harness = new Harness();
  const run = harness.begin();
  run.notify({ type: "approval", toolCallId: "call-1", toolName: "refund", decision: "approved" });
  const outcome = await harness.agent(run, async function* (call) {
    yield* await harness.chat(run, () => words("let me see"), call);
    const ask = tool("ask", async (_input, _runtime, id) => (await harness.chat(run, () => words("x"), id)).final());
    await (await harness.tool(run, ask, {}, call, "call-0")).final();
    const refund = tool("refund", () => Promise.reject(new TypeError("no")));
    await harness.tool(run, refund, {}, call).catch(() => {});
    expect(written).toBe("");
  });
  await outcome.final();
  expect(withoutTimes(written)).toBe(
    [
      "invoke_agent support",
      "├─ chat gpt-5 3→1 tokens",
      "├─ execute_tool ask",
      "│  └─ chat gpt-5 3→1 tokens",
      "└─ execute_tool refund approved ERROR TypeError",
      "",
    ].join("\n"),
  );
});

it("marks what ran elsewhere, with how long it took", async () => {
  const harness = new Harness();
  const run = harness.begin();
  const outcome = await harness.agent(run, async function* (call) {
    const returnedAt = Date.now();
    run.notify({
      type: "external_result",
      call,
      toolCallId: "c1",
      toolName: "refund",
      arguments: {},
      outcome: "completed",
      handedOutAt: returnedAt - 42_000,
      returnedAt,
    });
    yield* words("done");
  });
  await outcome.final();
  expect(written).toContain("└─ execute_tool refund [external] 42s\n");
});

it("lets no name move the terminal's cursor or change its colours", () => {
  trace.getTracer("t").startSpan("a\u001b[2Jb\nc\u202ed\u009b").end();
  expect(written).toMatch(/^a\\x1b\[2Jb\\x0ac\\u202ed\\x9b [\d.]+ms\n$/);
});

const tracer = () => trace.getTracer("t");
const childOf = (parent: Span, name: string) => tracer().startSpan(name, {}, trace.setSpan(ROOT_CONTEXT, parent));

it("prints what has ended when the process flushes", async () => {
  childOf(tracer().startSpan("never ended"), "child").end();
  expect(written).toBe("");
  await provider.forceFlush();
  expect(written).toMatch(/^child /);
});

it("prints the oldest trace early when more than a hundred are open", () => {
  for (let i = 0; i < 101; i++) childOf(tracer().startSpan(`open ${i}`), `child ${i}`).end();
  expect(written.split("\n").map(withoutTimes)).toEqual(["child 0", ""]);
});

it("prints a trace in parts when a thousand of its spans have ended", () => {
  const root = tracer().startSpan("never ended");
  for (let i = 0; i < 999; i++) childOf(root, "child").end();
  expect(written).toBe("");
  childOf(root, "child").end();
  expect(written.split("\n")).toHaveLength(1001);
});

it.each([
  [[0, 400_000], "0.4ms"],
  [[0, 12_400_000], "12ms"],
  [[0, 812_000_000], "0.8s"],
  [[1, 940_000_000], "1.9s"],
  [[41, 600_000_000], "42s"],
  [[59, 900_000_000], "1m 0s"],
  [[185, 0], "3m 5s"],
] as const)("shows %j as %s", (time, shown) => {
  expect(duration(time)).toBe(shown);
});
