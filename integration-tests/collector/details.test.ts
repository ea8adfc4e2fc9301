import { hostname } from "node:os";
import { afterAll, expect, it, jest } from "@jest/globals";
import { type AgentOptions, createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import type { Plugin, Reply } from "@suite/core";
import { pii } from "@suite/pii";
import { type ModelAnswer, startModelServer } from "@suite/testkit";
import { type TracingOptions, tracing } from "@suite/tracing";
import { type SetupOptions, setupTracing } from "@suite/tracing/node";
import { freePort } from "../../scripts/free-port.mjs";
import { planted } from "../planted.mjs";
import { killAll, startCollector, withCollector } from "./collector.js";
import { startReceiver } from "./receiver.js";
import { plain, spansOf } from "./spans.js";
import { itValidates, validate } from "./validator.js";

jest.setTimeout(60_000);
afterAll(killAll);

type Agent = ReturnType<typeof createAgent>;

interface Told {
  readonly answers: readonly ModelAnswer[];
  readonly agent?: Omit<AgentOptions, "name" | "model">;
  readonly tracing?: TracingOptions;
  readonly setup?: SetupOptions;
}

/** The output of a collector for one agent: all of it, and the spans of a name with their attributes. */
async function sent(told: Told, act: (agent: Agent) => Promise<unknown>) {
  const [model, receiver] = await Promise.all([startModelServer(), startReceiver()]);
  const collector = await startCollector(receiver.url);
  const telemetry = setupTracing({ serviceName: "support", endpoint: collector.url, ...told.setup });
  model.script(...told.answers);
  const { plugins = [], ...options } = told.agent ?? {};
  const agent = createAgent({
    name: "support",
    model: openai("gpt-5", { baseURL: `${model.url}/v1`, apiKey: "none" }),
    ...options,
    plugins: [tracing({ warn: () => {}, ...told.tracing }), ...plugins],
  });
  await act(agent);
  await agent.close();
  await telemetry.shutdown();
  await collector.stop();
  await Promise.all([model.close(), receiver.close()]);
  const { bodies } = receiver;
  const named = (name: string) => {
    const found = spansOf(bodies.filter((body) => body.includes('"resourceSpans"')));
    return found
      .filter((span) => span.name === name)
      .map((span) => ({
        ...plain(span.attributes),
        status: span.status ?? {},
        traceState: Reflect.get(span, "traceState"),
      }));
  };
  return { bodies, named };
}

const call = (name: string) => ({ toolCalls: [{ id: `call-${name}`, name, arguments: {} }] });
const done: ModelAnswer = { text: "Done." };
const kept: Reply = {
  message: { role: "assistant", parts: [{ type: "text", content: "Kept." }] },
  finishReason: "stop",
  usage: { inputTokens: 90, outputTokens: 10 },
};
const tokens = (span: object | undefined) => Object.keys(span ?? {}).filter((key) => key.startsWith("gen_ai.usage."));

withCollector("what comes out of a collector says", () => {
  it.each<[string, Plugin]>([
    [
      "at once",
      {
        name: "cache",
        async model(invocation) {
          invocation.respond({ value: kept });
        },
      },
    ],
    [
      "after the model had failed",
      {
        name: "cache",
        model: (invocation, next) => next().catch(() => invocation.respond({ value: kept })),
      },
    ],
  ])("that no model was asked, and no tokens, of what a cache answered %s", async (_, cache) => {
    const answers = [{ fault: { status: 400, message: "no" } }];
    const { named, bodies } = await sent({ answers, agent: { plugins: [cache] } }, (agent) => agent.run("go"));
    const whole = named("chat gpt-5").find((span) => !("suite.attempt" in span));
    expect(whole).toMatchObject({ "suite.reached": false });
    expect(named("chat gpt-5").flatMap(tokens)).toEqual([]);
    expect(bodies.join()).not.toContain("gen_ai.client.inference.usage.input_tokens");
  });

  it("what lies at the bottom of a connection that was refused", async () => {
    const port = await freePort();
    const execute = () => fetch(`http://127.0.0.1:${port}/`);
    const agent = { tools: [defineTool({ name: "find", execute })] };
    const { named } = await sent({ answers: [call("find"), done], agent }, (each) => each.run("go"));
    expect(named("execute_tool find")).toMatchObject([
      {
        "error.type": "TypeError",
        "suite.error.cause": "ECONNREFUSED",
        status: { message: "fetch failed (ECONNREFUSED)" },
      },
    ]);
  });

  it("that an answer of failure is one", async () => {
    const layer: Plugin = {
      name: "layer",
      async tool(invocation) {
        invocation.respond({ value: "No such order.", isError: true });
      },
    };
    const agent = { tools: [defineTool({ name: "find", execute: () => 1 })], plugins: [layer] };
    const { named } = await sent({ answers: [call("find"), done], agent }, (each) => each.run("go"));
    expect(named("execute_tool find")).toMatchObject([
      { "error.type": "tool_error", status: { code: 2, message: "The tool's result reports a failure." } },
    ]);
  });

  it("one error type for a refusal, and the id of a call that waits", async () => {
    const refund = defineTool({ name: "refund", needsApproval: true, execute: () => 1 });
    const waits = await sent({ answers: [call("refund")], agent: { tools: [refund] } }, (each) => each.run("go"));
    expect(waits.named("execute_tool refund")).toMatchObject([
      { "suite.status": "suspended", "suite.tool.call.id": "call-refund" },
    ]);
    const asks = { tools: [refund], onHumanInput: () => ({ type: "reject", message: "no" }) as const };
    const refused = await sent({ answers: [call("refund"), done], agent: asks }, (each) => each.run("go"));
    expect(refused.named("execute_tool refund")).toMatchObject([{ "error.type": "denied", "suite.status": "denied" }]);
  });

  it("nothing that a caller or a server planted where no content is: trace state, finish reason", async () => {
    const guard = pii("email", { strategy: "redact" });
    const answers = [{ text: "Done.", finishReason: planted.email } as ModelAnswer];
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const incoming = { carrier: { traceparent, tracestate: `u=${planted.email}` }, trusted: true };
    const { bodies, named } = await sent({ answers, agent: { plugins: [guard] } }, (each) =>
      each.run("go", { incoming }),
    );
    expect(named("chat gpt-5")).toMatchObject([{ "gen_ai.response.finish_reasons": ["[REDACTED_EMAIL]"] }]);
    expect(bodies.join()).not.toContain(planted.email);
    expect(bodies.join()).not.toContain("redaction.masked");
  });

  itValidates("nothing that violates the GenAI conventions", async () => {
    const { bodies } = await sent({ answers: [done] }, (each) => each.run("go"));
    expect(validate(bodies)).toBe(2);
  });

  it("which process and machine it is of, on spans and metrics", async () => {
    const { bodies } = await sent({ answers: [done] }, (each) => each.run("go"));
    const ids = bodies.map((body) => /"service.instance.id","value":\{"stringValue":"([\da-f-]{36})"/.exec(body)?.[1]);
    expect(new Set(ids).size).toBe(1);
    for (const body of bodies) expect(body).toContain(`"${hostname()}"`);
  });
});
