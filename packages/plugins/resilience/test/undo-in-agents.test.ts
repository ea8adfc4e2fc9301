import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { type AgentTool, approve, createAgent, defineTool, type InterruptedRun } from "@suite/agent";
import { type AuditRecord, audit } from "@suite/audit";
import type { Notification, Plugin } from "@suite/core";
import type { UndoTool } from "@suite/core/contract";
import { memoryStateStore } from "@suite/kit/store";
import { retryTool, type UndoOptions, undo } from "@suite/resilience";
import { tracing } from "@suite/tracing";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { call, type Said, scripted, suspended } from "../../../agent/test/support.js";

const broken = new TypeError("the model broke");

/** Tools that book and are undone, and what they did, in order. */
function shop(options: { readonly fails?: (id: string) => boolean } = {}) {
  const done: string[] = [];
  const undoIt: UndoTool = (input, result) => {
    const { id } = input as { id: string };
    if (options.fails?.(id) === true) throw new Error("too late");
    done.push(`-${id} ${JSON.stringify(result)}`);
  };
  const book = defineTool({
    name: "book",
    execute: (input) => {
      const { id } = input as { id: string };
      done.push(`+${id}`);
      return { booked: id };
    },
    undo: undoIt,
  });
  return { done, book };
}

function agentOf(
  rounds: readonly Said[],
  tools: readonly AgentTool[],
  options: UndoOptions = {},
  more: readonly Plugin[] = [],
) {
  const told: Notification[] = [];
  const watch: Plugin = { name: "watch", observe: (notification) => void told.push(notification) };
  const plugin = undo(options);
  const agent = createAgent({ name: "a", model: scripted(...rounds), tools, plugins: [watch, plugin, ...more] });
  return { agent, plugin, told };
}

const books = (...ids: readonly string[]) => ids.map((id) => call(id, "book", { id }));

describe("undo", () => {
  it.each([false, true])(
    "undoes what a run did that fails, the last first, with what each gave; the error stays (streamed: %p)",
    async (streamed) => {
      const { done, book } = shop();
      const { agent, told } = agentOf([books("a"), books("b"), broken], [book]);
      await expect(streamed ? agent.stream("go").result : agent.run("go")).rejects.toBe(broken);
      expect(done).toEqual(["+a", "+b", '-b {"booked":"b"}', '-a {"booked":"a"}']);
      expect(told.filter(({ type }) => type === "undo")).toMatchObject([
        { toolCallId: "b", toolName: "book", arguments: { id: "b" }, outcome: "completed" },
        { toolCallId: "a", outcome: "completed" },
      ]);
    },
  );

  it("undoes nothing of a run that ends well, and keeps nothing of it", async () => {
    const { done, book } = shop();
    const store = memoryStateStore();
    const { agent, plugin } = agentOf([books("a"), "done"], [book], { store });
    const { runId } = await agent.run("go");
    expect(done).toEqual(["+a"]);
    expect(await plugin.recover(runId)).toEqual([]);
  });

  it("undoes by the names of tools, where these do not say it themselves, and leaves all others alone", async () => {
    const { done, book } = shop();
    const { undo: way, ...plain } = book;
    const other = defineTool({ name: "look", execute: () => done.push("look") });
    const tools = { book: way as UndoTool };
    const { agent } = agentOf([[...books("a"), call("2", "look")], broken], [plain, other], { tools });
    await expect(agent.run("go")).rejects.toBe(broken);
    expect(done.toSorted()).toEqual(["+a", '-a {"booked":"a"}', "look"]);
  });

  it("undoes a run that is cancelled; of a call that was under way it tells that nobody knows", async () => {
    const { done, book } = shop();
    const controller = new AbortController();
    const slow: AgentTool = {
      ...book,
      name: "slow",
      execute: () => {
        controller.abort(new RangeError("enough"));
        return new Promise(() => {});
      },
    };
    const { agent, told } = agentOf([books("a"), [call("s", "slow", { id: "s" })]], [book, slow]);
    await expect(agent.run("go", { signal: controller.signal })).rejects.toThrow("enough");
    expect(done).toEqual(["+a", '-a {"booked":"a"}']);
    expect(told.find((each) => each.type === "decision" && each.plugin === "undo")).toMatchObject({
      details: { undone: 1, unknown: 1, failed: 0, elsewhere: 0 },
    });
  });

  it("undoes a call of which nobody knows where that is asked for", async () => {
    const { done, book } = shop();
    const stops = AbortSignal.timeout(20);
    const slow: AgentTool = { ...book, execute: () => new Promise(() => {}) };
    const { agent } = agentOf([books("s")], [slow], { unknown: "undo" });
    await expect(agent.run("go", { signal: stops })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(done).toEqual(["-s undefined"]);
  });

  it("leaves a tool alone that failed by itself, and undoes another attempt at it once", async () => {
    const { done, book } = shop();
    let attempts = 0;
    const flaky: AgentTool = {
      ...book,
      execute: (input) => {
        if (attempts++ === 0) throw new Error("busy");
        done.push(`+${(input as { id: string }).id}`);
        return 1;
      },
    };
    const retry = retryTool({ tools: ["book"], initialDelay: 1 });
    const { agent } = agentOf([books("a"), broken], [flaky], {}, [retry]);
    await expect(agent.run("go")).rejects.toBe(broken);
    expect(done).toEqual(["+a", "-a 1"]);
  });

  it("keeps the notes of a run that is suspended, and undoes all of it where it fails afterwards, in another process too", async () => {
    const { done, book } = shop();
    const store = memoryStateStore();
    const pay = defineTool({ name: "pay", needsApproval: true, execute: () => done.push("pay") });
    const resume = { keys: [{ id: "k", secret: "x".repeat(32) }] };
    const make = (rounds: readonly Said[]) =>
      createAgent({ name: "a", model: scripted(...rounds), tools: [book, pay], resume, plugins: [undo({ store })] });
    const pending = await suspended(make([[...books("a"), call("p", "pay")]]).run("go"));
    expect(done).toEqual(["+a"]);
    const other = make([broken]);
    await expect(other.run({ pending, decisions: pending.calls.map((each) => approve(each)) })).rejects.toBe(broken);
    expect(done).toEqual(["+a", "pay", '-a {"booked":"a"}']);
  });

  it("undoes what a sub-agent did with the run that it is a part of, and not before", async () => {
    const { done, book } = shop();
    const make = (outer: Said) => {
      const helper = createAgent({ name: "helper", model: scripted(books("a"), broken), tools: [book] });
      return agentOf([[call("h", "helper", { prompt: "?" })], outer], [helper.asTool({ description: "Helps." })]).agent;
    };
    await make("done").run("go");
    expect(done).toEqual(["+a"]);
    await expect(make(broken).run("go")).rejects.toBe(broken);
    expect(done).toEqual(["+a", "+a", '-a {"booked":"a"}']);
  });

  it("goes on with the others where one cannot be undone, and tells it", async () => {
    const { done, book } = shop({ fails: (id) => id === "b" });
    const { agent, plugin, told } = agentOf([books("a"), books("b"), books("c"), broken], [book]);
    const runsLeft: string[] = [];
    const onInterrupted = ({ pending }: InterruptedRun) => void runsLeft.push(pending?.runId ?? "");
    await expect(agent.run("go", { onInterrupted })).rejects.toBe(broken);
    expect(done.slice(3)).toEqual(['-c {"booked":"c"}', '-a {"booked":"a"}']);
    expect(told.filter((each) => each.type === "undo" && each.outcome === "failed")).toMatchObject([
      { toolCallId: "b", error: { message: "too late" } },
    ]);
    expect(await plugin.recover(runsLeft[0] ?? "")).toEqual([{ toolCallId: "b", tool: "book", outcome: "failed" }]);
  });

  it("gives an undo that hangs up after its time", async () => {
    const { book } = shop();
    let told: AbortSignal | undefined;
    const hangs: AgentTool = {
      ...book,
      undo: (_input, _result, { signal }) => {
        told = signal;
        return new Promise(() => {});
      },
    };
    const { agent, told: notifications } = agentOf([books("a"), broken], [hangs], { timeout: 20 });
    await expect(agent.run("go")).rejects.toBe(broken);
    expect(told?.aborted).toBe(true);
    expect(notifications.find(({ type }) => type === "undo")).toMatchObject({
      error: { code: "ERR_RESILIENCE_TIMEOUT" },
    });
  });

  it("lets nothing go on from a run that was undone", async () => {
    const { done, book } = shop();
    const { agent } = agentOf([books("a"), broken, books("b"), broken], [book]);
    const left: unknown[] = [];
    const onInterrupted = ({ pending }: { readonly pending?: unknown }) => void left.push(pending);
    await expect(agent.run("go", { onInterrupted })).rejects.toBe(broken);
    // The tool is refused, and the model told so; what it had done stays undone.
    await expect(agent.run({ pending: left[0] as never, decisions: [] })).rejects.toBe(broken);
    expect(done).toEqual(["+a", '-a {"booked":"a"}']);
  });

  it.each<[object]>([
    [{ tools: { a: 1 } }],
    [{ timeout: 0 }],
    [{ unknown: "guess" }],
    [{ store: 1 }],
    [{ keepFor: Number.NaN }],
    [{ retries: 1 }],
  ])("refuses options that make no sense: %j", (options) => {
    expect(() => undo(options as never)).toThrow(expect.objectContaining({ code: "ERR_RESILIENCE_OPTION" }));
  });

  it("undoes each call once at most, and each whose end is known, in reverse, wherever a process dies and whoever recovers", async () => {
    const plan = fc.record({
      calls: fc.integer({ min: 1, max: 6 }),
      // The operation of the store at which the process dies: nothing it does from then on arrives.
      dies: fc.integer({ min: 1, max: 40 }),
      recoverers: fc.integer({ min: 1, max: 3 }),
      breaks: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ calls, dies, recoverers, breaks }) => {
        const store = memoryStateStore();
        let operations = 0;
        const mortal = new Proxy(store, {
          get:
            (target, name) =>
            (...given: unknown[]) =>
              ++operations >= dies
                ? Promise.reject(new Error("dead"))
                : (target[name as keyof typeof target] as (...all: unknown[]) => unknown)(...given),
        });
        const did: string[] = [];
        const undone: string[] = [];
        const tool = (live: () => boolean): AgentTool =>
          defineTool({
            name: "book",
            execute: (input) => {
              if (live()) did.push((input as { id: string }).id);
              return 1;
            },
            undo: async (input) => {
              const { id } = input as { id: string };
              await sleep(Number(id) % 3);
              if (breaks.includes(Number(id))) throw new Error("no");
              undone.push(id);
            },
          });
        const rounds: Said[] = [...Array.from({ length: calls }, (_, n) => books(`${n + 1}`)), broken];
        const { agent } = agentOf(rounds, [tool(() => operations < dies)], { store: mortal, timeout: 60 });
        const begun: string[] = [];
        const seen: Plugin = { name: "seen", begin: (runtime) => void begun.push(runtime.runId) };
        await agent.run("go", { plugins: [seen] }).catch(() => {});
        const others = Array.from({ length: recoverers }, () =>
          undo({ store, timeout: 60, tools: { book: tool(() => true).undo as UndoTool } }),
        );
        const results = await Promise.all(others.map((each) => each.recover(begun[0] ?? "")));
        expect(new Set(undone).size).toBe(undone.length);
        expect(undone.every((id) => did.includes(id))).toBe(true);
        // Of each call that was made, somebody knows what became of it.
        const known = new Set(results.flat().map(({ toolCallId }) => toolCallId));
        for (const id of did) expect(undone.includes(id) || known.has(id)).toBe(true);
        expect(undone.map(Number)).toEqual([...undone].map(Number).sort((a, b) => b - a));
      }),
      { numRuns: runs(60) },
    );
  });

  it("is in the trace, a span for each that links to that of the call, and in the log, a record for each", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const { book } = shop({ fails: (id) => id === "b" });
    const records: AuditRecord[] = [];
    const sink = { append: async (record: AuditRecord) => void records.push(record), close: async () => {} };
    const log = audit({ sink, policy: { content: "full" } });
    const model = scripted(books("a"), books("b"), broken);
    const plugins = [tracing({ tracerProvider: provider }), log, undo()];
    const agent = createAgent({ name: "a", model, tools: [book], plugins });
    await expect(agent.run("go")).rejects.toBe(broken);
    await agent.close();
    const spans = exporter.getFinishedSpans().filter(({ name }) => name === "execute_tool book");
    const undos = spans.filter(({ attributes }) => attributes["suite.tool.undo"] === true);
    const calls = spans.filter((span) => !undos.includes(span));
    expect(undos.map(({ attributes }) => attributes["suite.tool.call.id"])).toEqual(["b", "a"]);
    for (const span of undos) {
      const id = span.attributes["suite.tool.call.id"];
      const undone = calls.find(({ attributes }) => attributes["gen_ai.tool.call.id"] === id)?.spanContext();
      const link = { context: { spanId: undone?.spanId }, attributes: { "suite.link": "undoes" } };
      expect(span.links).toMatchObject([link]);
      expect(span.spanContext().traceId).toBe(undone?.traceId);
    }
    expect(undos.map(({ status }) => status.code)).toEqual([SpanStatusCode.ERROR, SpanStatusCode.UNSET]);
    expect(records.filter(({ type }) => type === "undo")).toMatchObject([
      { target: { name: "book", id: "b" }, outcome: { status: "failed" }, content: { arguments: { id: "b" } } },
      { target: { name: "book", id: "a" }, outcome: { status: "completed" } },
    ]);
  });

  it("is in the trace of its call as long as that is not too old, and links to it all the same", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const { book } = shop();
    const slow = { ...book, execute: () => sleep(20) };
    const model = scripted(books("a"), broken);
    const traced = tracing({ tracerProvider: provider, compensation: { maxAge: 0 } });
    const agent = createAgent({ name: "a", model, tools: [slow], plugins: [traced, undo()] });
    await expect(agent.run("go")).rejects.toBe(broken);
    const [called, undone] = exporter.getFinishedSpans().filter(({ name }) => name === "execute_tool book");
    expect(undone?.links).toMatchObject([{ context: { spanId: called?.spanContext().spanId } }]);
    expect(undone?.spanContext().traceId).not.toBe(called?.spanContext().traceId);
  });

  it("that somebody has begun and never ended is told as one of which nobody knows, and the others are undone", async () => {
    const store = memoryStateStore();
    const { done, book } = shop();
    let release = (): void => {};
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    const dies: UndoTool = (input, result, about) =>
      (input as { id: string }).id === "b" ? hanging : book.undo?.(input, result, about);
    const begun: string[] = [];
    const seen: Plugin = { name: "seen", begin: (runtime) => void begun.push(runtime.runId) };
    const model = scripted(books("a"), books("b"), broken);
    const options = { store, timeout: 60_000 };
    const plugins = [seen, undo({ ...options, tools: { book: dies } })];
    const running = createAgent({ name: "a", model, tools: [{ ...book, undo: dies }], plugins })
      .run("go")
      .catch(() => {});
    while (done.length < 2) await sleep(1);
    await sleep(20); // the undo of b hangs now, as where its process has died
    const other = undo({ store, timeout: 50, tools: { book: book.undo as UndoTool } });
    expect(await other.recover(begun[0] ?? "")).toMatchObject([
      { toolCallId: "b", outcome: "unknown" },
      { toolCallId: "a", outcome: "undone" },
    ]);
    expect(done).toEqual(["+a", "+b", '-a {"booked":"a"}']);
    release();
    await running;
  });

  it("by another process is in the trace and in the log too, where it is given the plugins", async () => {
    const store = memoryStateStore();
    const { book } = shop();
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const begun: string[] = [];
    const seen: Plugin = { name: "seen", begin: (runtime) => void begun.push(runtime.runId) };
    const records: AuditRecord[] = [];
    const sink = { append: async (record: AuditRecord) => void records.push(record), close: async () => {} };
    // A run that waits stands for one whose process is gone.
    const wait = defineTool({ name: "wait" });
    const model = scripted([...books("a"), call("w", "wait")]);
    const plugins = [tracing({ tracerProvider: provider }), seen, undo({ store })];
    await createAgent({ name: "a", model, tools: [book, wait], plugins }).run("go");
    const log = audit({ sink });
    const other = undo({ store, tools: { book: book.undo as UndoTool } });
    await other.recover(begun[0] ?? "", { plugins: [tracing({ tracerProvider: provider }), log] });
    await log.close?.();
    const spans = exporter.getFinishedSpans().filter(({ name }) => name === "execute_tool book");
    expect(spans.map(({ links }) => links[0]?.context.spanId)).toEqual([undefined, spans[0]?.spanContext().spanId]);
    expect(records.filter(({ type }) => type === "undo")).toMatchObject([{ target: { name: "book", id: "a" } }]);
  });
});
