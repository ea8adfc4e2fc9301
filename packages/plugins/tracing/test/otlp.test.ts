import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type AnyInvocation, type CallId, MiddlewareTermination, type Plugin, type Tool } from "@suite/core";
import type { CallCore, Run } from "@suite/core/adapter";
import type { Pending } from "@suite/core/contract";
import { COUNTER, HISTOGRAM, SUITE_HISTOGRAM } from "../src/metrics/names.js";
import { setupTracing } from "../src/node.js";
import { startReceiver } from "./receiver.js";
import { Harness, modelRequest, reply, tool, user, words } from "./support.js";

const VALIDATOR = join(import.meta.dirname, "../../../../../shared/semconv/validate.mjs");

interface Request {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly { readonly name: string; readonly attributes: unknown }[];
    }[];
  }[];
}
interface Metrics {
  readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: { name: string }[] }[] }[];
}
let received: Request & Metrics;
let paths: readonly string[];

/** Everything that a run can come to, with all content, over the wire. */
async function everything(harness: Harness): Promise<void> {
  const agent = { name: "support", id: "a-1", description: "Answers tickets.", version: "2" };
  const inRun = async (body: (run: Run, call: CallId) => Promise<void>) => {
    const run = harness.begin({ agent, userId: "user-1" });
    const outcome = await harness.agent(run, async function* (call) {
      await body(run, call);
      yield* words("done");
    });
    await outcome.final().catch(() => {});
    await run.end();
  };
  const tools: readonly Tool[] = [{ ...tool("add"), description: "Adds.", parameters: { type: "object" } }];
  const settings = { temperature: 1, topP: 0.9, topK: 3, maxTokens: 10, seed: 1, stopSequences: ["."] };
  const system = { role: "system", parts: [{ type: "text", content: "Be brief." }] } as const;
  await inRun(async (run, call) => {
    const changes = { tools, settings, messages: [system, user("hi")], outputSchema: {}, provider: "azure" };
    await (await harness.chat(run, () => words("a"), call, changes)).final();
    const answer = {
      ...reply("b"),
      usage: {
        inputTokens: 9,
        outputTokens: 1,
        cacheReadInputTokens: 4,
        cacheCreationInputTokens: 2,
        reasoningOutputTokens: 1,
      },
    };
    await (
      await harness.stack.call("model", run, modelRequest(), async (m) => m.respond({ value: answer }), call)
    ).final();
    await (
      await harness.tool(
        run,
        tool("text", () => "plain text"),
        { a: 1 },
        call,
        "c1",
      )
    ).final();
    await (
      await harness.tool(
        run,
        tool("list", () => [1]),
        "not json",
        call,
        "c2",
      )
    ).final();
    await harness
      .tool(
        run,
        tool("fails", () => Promise.reject(new Error("a long sentence"))),
        {},
        call,
        "c3",
      )
      .catch(() => {});
    await (
      await harness.tool(
        run,
        tool("marked", () => ({ isError: true })),
        {},
        call,
        "c4",
      )
    ).final();
    const question = { question: "?", about: { type: "tool_call", id: "c4", name: "marked", arguments: {} } } as const;
    await (await harness.stack.call("humanInput", run, question, async (h) => h.respond({ value: 1 }), call)).final();
    const long = { messages: [user("hi"), user("ho")] };
    const short = [user("hi, ho")];
    await (
      await harness.stack.call("compressContext", run, long, async (c) => c.respond({ value: short }), call)
    ).final();
    const texts = { model: "e-1", provider: "openai", input: ["a"], dimensions: 2, encodingFormat: "float" };
    const vectors = { embeddings: [[1]], usage: { inputTokens: 1 }, response: { model: "e-1-small" } };
    const { stack } = harness;
    await (await stack.call("embedding", run, texts, async (e) => e.respond({ value: vectors }), call)).final();
    const query = { query: "the sky", source: "kb", limit: 2 };
    const documents = [{ id: "d1", content: "blue", score: 0.5 }, { content: "x".repeat(400) }];
    await (await stack.call("retrieval", run, query, async (r) => r.respond({ value: { documents } }), call)).final();
    const remembered = { operation: "search_memory", store: "notes", query: "the sky", limit: 2 } as const;
    const records = [
      { id: "m1", content: "blue", score: 0.5, metadata: { by: "ada" } },
      { id: 7, content: undefined, score: Number.NaN, metadata: "none" } as never,
    ];
    await run.memory(remembered, () => ({ records }), { parent: call });
    const written = [{ id: "m2", content: { text: "x".repeat(400) } }];
    for (const operation of ["create_memory", "update_memory", "upsert_memory"] as const) {
      await run.memory({ operation, store: "notes", records: written }, () => ({}), { parent: call });
    }
    await run.memory({ operation: "delete_memory", ids: ["m1"] }, () => ({ count: 1 }), { parent: call });
    for (const operation of ["create_memory_store", "delete_memory_store"] as const) {
      const server = { address: "memory.example" };
      await run.memory({ operation, provider: "openai", server }, () => ({}), { parent: call });
    }
    run.notify({ type: "guardrail", call, plugin: "pii", place: "input", decision: "block", enforced: true });
  });
  await inRun(async () => {
    throw new MiddlewareTermination("enough");
  });
  await inRun(async (run, call) => {
    for await (const _ of await harness.chat(run, () => words("a", "b"), call)) break;
  });
  const pending: readonly Pending[] = [
    { reason: "external", part: { type: "tool_call", id: "c9", name: "refund", arguments: { eur: 5 } } },
  ];
  const run = harness.begin();
  const asking = await harness.agent(run, async function* (call) {
    await (await harness.tool(run, tool("refund"), { eur: 5 }, call, "c9")).final().catch(() => {});
    run.notify({ type: "suspension", call, pending });
    yield* words();
    return { suspended: pending };
  });
  await asking.final().catch(() => {});
  const resumed = harness.begin({ durable: run.save() });
  const going = await harness.agent(
    resumed,
    async function* (call) {
      const now = Date.now();
      const told = {
        type: "external_result",
        call,
        toolCallId: "c9",
        toolName: "refund",
        arguments: { eur: 5 },
      } as const;
      resumed.notify({ ...told, outcome: "denied", handedOutAt: now - 5000, returnedAt: now });
      yield* words("done");
    },
    { messages: [], resume: [{ type: "tool_call_response", id: "c9", response: "no" }] },
  );
  await going.final();
}

/** Requests of MCP of both sides, over HTTP and pipes, that are answered, refused and failed. */
async function mcp(harness: Harness): Promise<void> {
  const run = harness.begin();
  for (const side of ["client", "server"] as const) {
    const ask = async (method: string, input: unknown, answer: () => unknown): Promise<void> => {
      const transport = side === "client" ? ("http" as const) : ("stdio" as const);
      const via = { side, method, requestId: "7", sessionId: "s-1", protocolVersion: "2025-06-18", transport };
      const request = { id: "x", tool: tool("find_order", () => 1), input, mcp: via };
      const core: CallCore<"tool"> = async (invocation) => invocation.respond({ value: answer() });
      await (await harness.stack.call("tool", run, request, core).catch(() => undefined))?.final();
    };
    const refuse = (code: number) => () => {
      throw Object.assign(new Error("No."), { code });
    };
    await ask("tools/call", { id: "A-1" }, () => ({ content: [{ type: "text", text: "shipped" }] }));
    await ask("tools/call", { id: "A-1" }, () => ({ isError: true, content: [] }));
    await ask("tools/call", {}, refuse(-32602));
    await ask("resources/read", { uri: "note://1" }, () => ({ contents: [] }));
    await ask("resources/read", { uri: "note://2" }, refuse(-32603));
    await ask("prompts/get", { name: "greet" }, () => ({ messages: [] }));
    await ask("completion/complete", {}, () => ({ completion: {} }));
  }
  await run.end();
}

/** A workflow round an agent whose first round plans, with a tool that plans too; and one that fails. */
async function planning(harness: Harness): Promise<void> {
  for (const thrown of [undefined, new Error("nothing to report")]) {
    const run = harness.begin({ agent: { name: "report", operation: "workflow", description: "d", version: "1" } });
    const whole = harness.agent(run, async function* (call) {
      const inner = harness.begin({ parent: run });
      const planned = harness.agent(
        inner,
        async function* (within) {
          yield* await harness.chat(inner, () => words("first"), within, { plans: true });
          const think = { ...tool("think", () => "so"), plans: true };
          await (await harness.tool(inner, think, {}, within, "c1")).final();
          yield* await harness.chat(inner, () => words("done"), within);
        },
        undefined,
        call,
      );
      await (await planned).final();
      await inner.end();
      if (thrown !== undefined) throw thrown;
      yield* words("done");
    });
    await (await whole).final().catch(() => {});
    await run.end();
  }
}

/** A retry inside, of calls whose answer is refused the first time. */
function trying(): readonly Plugin[] {
  const refused = new WeakSet<CallId>();
  const again = (_: unknown, next: () => Promise<void>): Promise<void> => next().catch(next);
  const refuse = async ({ call }: AnyInvocation, next: () => Promise<void>): Promise<void> => {
    await next();
    if (refused.has(call)) return;
    refused.add(call);
    throw new Error("not good enough");
  };
  return [
    { name: "retry", agent: again, model: again, tool: again },
    { name: "picky", agent: refuse, model: refuse, tool: refuse },
  ];
}

beforeAll(async () => {
  const receiver = await startReceiver();
  const telemetry = setupTracing({ serviceName: "otlp-test", endpoint: `http://127.0.0.1:${receiver.port}` });
  const prices = { "gpt-5": { input: 1, output: 2 } };
  const attributes = { "tenant.id": "acme" };
  await everything(new Harness({ content: "full", dialect: "agent-usage", attributes, prices, warn: () => {} }));
  await planning(new Harness({ content: "full", dialect: "agent-usage", attributes, warn: () => {} }));
  await planning(new Harness({ content: "full", warn: () => {} }, trying()));
  await mcp(new Harness({ content: "full", warn: () => {} }));
  await everything(new Harness({ content: "full", contentLimit: 256, warn: () => {} }));
  await everything(new Harness({ content: "full", warn: () => {} }, trying()));
  await telemetry.shutdown();
  await receiver.stop();
  paths = receiver.paths;
  const requests = receiver.bodies.map((body) => JSON.parse(body) as Partial<Request & Metrics>);
  received = {
    resourceSpans: requests.flatMap(({ resourceSpans = [] }) => resourceSpans),
    resourceMetrics: requests.flatMap(({ resourceMetrics = [] }) => resourceMetrics),
  };
});

const spans = () => received.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans));

it("sends OTLP as JSON to the paths of the collector for traces and for metrics", () => {
  expect(new Set(paths)).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
  const metrics = received.resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope) => scope.metrics),
  );
  expect(new Set(metrics.map(({ name }) => name))).toEqual(
    new Set([
      ...Object.values({ ...HISTOGRAM, ...SUITE_HISTOGRAM }).map(({ name }) => name),
      ...Object.values(COUNTER),
    ]),
  );
  expect(spans().map((span) => span.name)).toEqual(
    expect.arrayContaining([
      "invoke_workflow report",
      "plan support",
      "invoke_agent support",
      "chat gpt-5",
      "execute_tool refund",
      "suite.human_input",
    ]),
  );
});

// On a clone without the data beside it there is nothing to check against; CI has it.
const present = existsSync(VALIDATOR) || process.env.CI !== undefined;
if (!present) console.info("skipped: no ../shared/semconv/validate.mjs beside this repository");
(present ? describe : describe.skip)("by the GenAI conventions", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "suite-otlp-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const validate = (...options: string[]): string => {
    const file = join(directory, "spans.json");
    writeFileSync(file, JSON.stringify(received));
    try {
      return execFileSync(process.execPath, [VALIDATOR, ...options, file], { encoding: "utf8" });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  };

  it("has no violation", () => {
    expect(validate("--current")).toMatch(/spans checked [1-9]\d*, violations 0\n$/);
  });

  // An open enumeration whose only listed value is `_OTHER`: any code or class of an error is one of one's own.
  const own = ["-32602", "-32603", "Error", "ERR_MIDDLEWARE_TERMINATED", "tool_error", "denied"];

  it("has no notice either, on no span, but that types of errors are words of one's own", () => {
    const errorTypes = own.flatMap((type) => ["--allow-value", `error.type=${type}`]);
    expect(validate("--strict", "--current", "--all-spans", ...errorTypes)).toMatch(
      /spans checked [1-9]\d*, violations 0\n$/,
    );
  });
});
