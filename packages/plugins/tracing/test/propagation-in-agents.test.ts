import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Agent, createAgent, defineTool, type Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai } from "@suite/agent/openai";
import type { Plugin } from "@suite/core";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { type TracingOptions, tracing } from "@suite/tracing";
import { setupTracing, type TracingSetup } from "@suite/tracing/node";

/** The fields of a span that the tests look at; the SDK's own types are no dependency here. */
interface Ended {
  readonly name: string;
  readonly parent: string | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly links: readonly { readonly context: { readonly traceId: string } }[];
}

let server: ModelServer;
let telemetry: TracingSetup | undefined;
let spans: Ended[] = [];
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  spans = [];
  telemetry = setupTracing({
    metrics: false,
    processors: [
      {
        onStart() {},
        onEnd(span) {
          const { traceId, spanId } = span.spanContext();
          spans.push({ name: span.name, parent: span.parentSpanContext?.spanId, traceId, spanId, links: span.links });
        },
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  });
});
afterEach(async () => {
  await telemetry?.shutdown();
  server.reset();
});
afterAll(() => server.close());

const clients: readonly (readonly [string, () => Model])[] = [
  ["openai", () => openai("m", { apiKey: "none", baseURL: `${server.url}/v1` })],
  ["anthropic", () => anthropic("m", { apiKey: "none", baseURL: server.url })],
];
const add = defineTool({ name: "add", execute: () => 42 });
const agentOf = (model: Model, options: TracingOptions, plugins: readonly Plugin[] = []): Agent =>
  createAgent({ name: "support", model, tools: [add], plugins: [...plugins, tracing(options)] });
const ask = async (agent: Agent, how: string) =>
  how === "streamed" ? agent.stream("hello").result : agent.run("hello");

const sent = () => server.requests.map(({ headers }) => headers.traceparent);
const asHeader = ({ traceId, spanId }: Ended) => `00-${traceId}-${spanId}-01`;
const chats = () => spans.filter(({ name }) => name.startsWith("chat"));

describe.each(clients)("what a model behind %s is told", (_, modelOf) => {
  const twoRounds = () => server.script({ toolCalls: [{ name: "add", arguments: {} }] }, { text: "It is 42." });

  it.each(["whole", "streamed"])("is the span of each call, where its host is named; %s", async (how) => {
    twoRounds();
    await ask(agentOf(modelOf(), { propagateTo: ["127.0.0.1"] }), how);
    expect(chats()).toHaveLength(2);
    expect(sent()).toEqual(chats().map(asHeader));
  });

  it.each(["whole", "streamed"])("is nothing by default, nor where another host is named; %s", async (how) => {
    twoRounds();
    await ask(agentOf(modelOf(), {}), how);
    twoRounds();
    await ask(agentOf(modelOf(), { propagateTo: ["localhost", `127.0.0.1:${server.port + 1}`] }), how);
    expect(sent()).toEqual([undefined, undefined, undefined, undefined]);
    for (const { headers } of server.requests) {
      expect(Object.keys(headers).filter((name) => /trace|baggage/.test(name))).toEqual([]);
    }
  });

  it("is the span of each attempt, where a layer tries again", async () => {
    const retry: Plugin = {
      name: "retry",
      async model(invocation, next) {
        try {
          await next();
          await invocation.result?.ready();
        } catch {
          await next();
        }
      },
    };
    server.script({ fault: { status: 500 } }, { text: "Fine." }, { fault: { status: 500 } }, { text: "Fine." });
    await ask(agentOf(modelOf(), { propagateTo: ["127.0.0.1"] }, [retry]), "whole");
    await ask(agentOf(modelOf(), { propagateTo: ["127.0.0.1"] }, [retry]), "streamed");
    expect(new Set(sent()).size).toBe(4);
    expect([...sent()].sort()).toEqual(chats().map(asHeader).sort());
  });

  it("is nothing without a provider", async () => {
    await telemetry?.shutdown();
    server.script({ text: "Fine." });
    await ask(agentOf(modelOf(), { propagateTo: () => true }), "whole");
    expect(sent()).toEqual([undefined]);
  });
});

describe("an agent that is called over HTTP", () => {
  const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
  const carrier = { traceparent: `00-${caller.traceId}-${caller.spanId}-01`, host: "localhost" };
  const answer = async (trusted: boolean) => {
    server.script({ text: "Fine." });
    const agent = agentOf(openai("m", { apiKey: "none", baseURL: `${server.url}/v1` }), { propagateTo: ["127.0.0.1"] });
    await agent.run("hello", { incoming: { carrier, trusted } });
    return spans.find(({ name }) => name === "invoke_agent support");
  };

  it("hands a trusted caller's trace on to the model", async () => {
    const run = await answer(true);
    expect(run).toMatchObject({ traceId: caller.traceId, parent: caller.spanId });
    expect(sent()[0]).toMatch(`00-${caller.traceId}-`);
  });

  it("has a trace of its own for any other, and a link", async () => {
    const run = await answer(false);
    expect(run?.parent).toBeUndefined();
    expect(run?.links.map(({ context }) => context.traceId)).toEqual([caller.traceId]);
    expect(sent()[0]).not.toMatch(caller.traceId);
  });
});

it("tells a model that an inner agent asks, too, below the tool call that it is", async () => {
  const model = openai("m", { apiKey: "none", baseURL: `${server.url}/v1` });
  const expert = createAgent({ name: "expert", model }).asTool({ description: "Knows." });
  const plugins = [tracing({ propagateTo: ["127.0.0.1"] })];
  const agent = createAgent({ name: "support", model, tools: [expert], plugins });
  server.script({ toolCalls: [{ name: "expert", arguments: { prompt: "?" } }] }, { text: "42" }, { text: "It is 42." });
  await agent.run("hello");
  const tool = spans.find(({ name }) => name === "execute_tool expert");
  expect(sent()[1]).toBe(tool && asHeader(tool));
});
