import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool, type PendingState } from "@suite/agent";
import type { Notification, Plugin } from "@suite/core";
import { MiddlewareTermination, textOf } from "@suite/core";
import { call, codeOf, type Said, scripted, shown, suspended } from "./support.js";

const add = defineTool({
  name: "add",
  input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  execute: (input) => (input as { a: number }).a + (input as { b: number }).b,
});
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a run", () => {
  it("answers, with usage and the history to go on with", async () => {
    const model = scripted("hello");
    const result = await createAgent({ name: "a", model, systemPrompt: "be kind" }).run("hi");
    expect(result).toMatchObject({ status: "completed", text: "hello", rounds: 1, finishReason: "stop" });
    expect(result.usage).toEqual({ inputTokens: 10, outputTokens: 5 });
    expect(result.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(model.asked[0]?.messages.map((m) => [m.role, textOf(m)])).toEqual([
      ["system", "be kind"],
      ["user", "hi"],
    ]);
  });

  it("runs tools and gives the model their results", async () => {
    const model = scripted([call("1", "add", { a: 1, b: 2 })], "three");
    const result = await createAgent({ name: "a", model, tools: [add] }).run("1+2");
    expect(result).toMatchObject({ status: "completed", text: "three", rounds: 2 });
    expect(shown(model.asked[1])).toEqual([3]);
    expect(result.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
  });

  it("streams the same as it answers at once", async () => {
    const agent = (
      model = scripted([{ type: "text", content: "let me see " }, call("1", "add", { a: 1, b: 2 })], "three it is"),
    ) => createAgent({ name: "a", model, tools: [add] });
    const stream = agent().stream("1+2");
    let text = "";
    for await (const piece of stream.text()) text += piece;
    expect(text).toBe("let me see three it is");
    const plain = await agent().run("1+2");
    const { runId, durationMs, byAgent } = plain;
    expect({ ...(await stream.result), runId, durationMs, byAgent }).toEqual(plain);
  });

  it("starts and reports parallel tools in the order of the calls, regardless of which ends first", async () => {
    const log: string[] = [];
    const tool = (name: string, ms: number) =>
      defineTool({
        name,
        async execute() {
          log.push(`>${name}`);
          await sleep(ms);
          log.push(`<${name}`);
          return name;
        },
      });
    const model = scripted([call("1", "slow"), call("2", "fast")], "done");
    await createAgent({ name: "a", model, tools: [tool("slow", 20), tool("fast", 1)] }).run("go");
    expect(log).toEqual([">slow", ">fast", "<fast", "<slow"]);
    expect(shown(model.asked[1])).toEqual(["slow", "fast"]);
  });

  it("reports a failed tool to the model in one line, without a stack trace", async () => {
    const boom = defineTool({
      name: "boom",
      execute() {
        throw new Error("no such order\n    at /srv/app/tools.ts:1:2");
      },
    });
    const model = scripted([call("1", "boom")], "sorry");
    await createAgent({ name: "a", model, tools: [boom] }).run("go");
    expect(shown(model.asked[1])).toEqual(["boom failed: no such order"]);
  });

  it("reports an unknown tool and wrong arguments to the model, through the tool layers", async () => {
    const seen: unknown[] = [];
    const watch: Plugin = {
      name: "watch",
      async tool(c, next) {
        try {
          await next();
        } catch (error) {
          seen.push([c.request.tool.name, (error as { code: string }).code]);
          throw error;
        }
      },
    };
    const model = scripted([call("1", "nope"), call("2", "add", { a: "x" })], "sorry");
    await createAgent({ name: "a", model, tools: [add], plugins: [watch] }).run("go");
    expect(seen.sort()).toEqual([
      ["add", "ERR_AGENT_TOOL_INPUT"],
      ["nope", "ERR_AGENT_TOOL_UNKNOWN"],
    ]);
    expect(shown(model.asked[1])).toEqual([
      'There is no tool named "nope". Tools: add.',
      expect.stringContaining("do not match its schema"),
    ]);
  });

  it("continues when a tool layer throws: the call failed, the run did not", async () => {
    const broken: Plugin = {
      name: "broken",
      async tool() {
        throw new Error("layer");
      },
    };
    const model = scripted([call("1", "add", { a: 1, b: 2 })], "sorry");
    const result = await createAgent({ name: "a", model, tools: [add], plugins: [broken] }).run("go");
    expect(result).toMatchObject({ status: "completed", text: "sorry" });
    expect(shown(model.asked[1])).toEqual(["add failed: layer"]);
  });

  it("ends with a termination of the run, and goes on after one of the call", async () => {
    const stop = (scope: "call" | "run"): Plugin => ({
      name: "stop",
      async tool() {
        throw new MiddlewareTermination("enough", { scope });
      },
    });
    const agent = (scope: "call" | "run") =>
      createAgent({
        name: "a",
        model: scripted([call("1", "add", { a: 1, b: 2 })], "ok"),
        tools: [add],
        plugins: [stop(scope)],
      });
    expect(await codeOf(agent("run").run("go"))).toBe("ERR_MIDDLEWARE_TERMINATED");
    expect(await agent("call").run("go")).toMatchObject({ text: "ok" });
  });

  it("passes the model's error on unchanged", async () => {
    const error = new Error("429");
    expect(await codeOf(createAgent({ name: "a", model: scripted(error) }).run("go"))).toBe(error);
  });

  it("stops at the limit of rounds, asks for no tool in the last, and leaves no call unanswered", async () => {
    const again = [call("1", "add", { a: 1, b: 2 })];
    const told: Notification[] = [];
    const watch: Plugin = { name: "watch", observe: (n) => void told.push(n) };
    const model = scripted(again, again, again);
    const result = await createAgent({ name: "a", model, tools: [add], plugins: [watch], maxRounds: 3 }).run("go");
    expect(result).toMatchObject({ status: "completed", finishReason: "max_rounds", rounds: 3 });
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined, "none"]);
    expect(told).toMatchObject([{ type: "limit", limit: "rounds", maximum: 3 }]);
    const [asked, answered] = result.messages.slice(-2).map(({ parts }) => parts as readonly { readonly id: string }[]);
    expect(answered).toMatchObject([{ id: asked?.[0]?.id, isError: true }]);
  });

  it("answers a dangling call of an earlier turn before the model is asked", async () => {
    const model = scripted("fine");
    await createAgent({ name: "a", model }).run([
      { role: "assistant", parts: [call("1", "add")] },
      { role: "user", parts: [{ type: "text", content: "go on" }] },
    ]);
    expect(model.asked[0]?.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
  });

  it("builds the system prompt once per model call", async () => {
    let count = 0;
    const prompt: Plugin = { name: "p", systemPrompt: (p) => `${p}${++count}` };
    const compress: Plugin = {
      name: "c",
      async compressContext(c, next) {
        await c.request.systemPrompt?.();
        await next();
      },
    };
    const model = scripted([call("1", "add", { a: 1, b: 2 })], "three");
    await createAgent({ name: "a", model, tools: [add], plugins: [prompt, compress], systemPrompt: "n" }).run("go");
    expect(model.asked.map((r) => textOf(r.messages[0] ?? []))).toEqual(["n1", "n2"]);
  });

  it("never repeats a call id that a compression removed from the history, also after a suspension", async () => {
    const compress: Plugin = {
      name: "c",
      async compressContext(c, next) {
        c.request = { ...c.request, messages: c.request.messages.slice(0, 1) };
        await next();
      },
    };
    const ids: string[] = [];
    const pay = defineTool({
      name: "pay",
      needsApproval: (input) => (input as { eur: number }).eur > 1,
      execute: () => "paid",
    });
    const seen: Plugin = {
      name: "seen",
      async tool(invocation, next) {
        ids.push(invocation.request.id);
        await next();
      },
    };
    const rounds = [1, 1, 2].map((eur) => [call("c0", "pay", { eur })]);
    const agent = (...said: readonly Said[]) =>
      createAgent({ name: "a", model: scripted(...said), tools: [pay], plugins: [compress, seen] });
    const pending = JSON.parse(JSON.stringify(await suspended(agent(...rounds).run("go")))) as PendingState;
    const decisions = pending.calls.map((each) => approve(each));
    await agent([call("c0", "pay", { eur: 1 })], "done").run({ pending, decisions });
    expect(ids).toEqual(["c0", "c0_1", "c0_2", "c0_2", "c0_3"]);
  });

  it("refuses two tools of one name: the agent's when it is created, a plugin's in the run", async () => {
    const made = async () => createAgent({ name: "a", model: scripted("x"), tools: [add, add] });
    expect(await codeOf(made())).toBe("ERR_AGENT_DUPLICATE_TOOL");
    const twice: Plugin = { name: "twice", tools: () => [add] };
    const run = createAgent({ name: "a", model: scripted("x"), tools: [add], plugins: [twice] }).run("go");
    expect(await codeOf(run)).toBe("ERR_AGENT_DUPLICATE_TOOL");
  });

  it("ends when it is aborted, also while a tool hangs, and every outcome settles once", async () => {
    const statuses: string[] = [];
    const watch: Plugin = {
      name: "watch",
      async agent(c, next) {
        await next();
        c.pipe({ settle: (s) => void statuses.push(`agent ${s.status}`) });
      },
      async model(c, next) {
        await next();
        c.pipe({ settle: (s) => void statuses.push(`model ${s.status}`) });
      },
    };
    const hang = defineTool({ name: "hang", execute: () => new Promise(() => {}) });
    const abort = new AbortController();
    const model = scripted([call("1", "hang")], "never");
    const stream = createAgent({ name: "a", model, tools: [hang], plugins: [watch] }).stream("go", {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error("user left")), 10);
    await expect(stream.result).rejects.toThrow("user left");
    expect(statuses).toEqual(["model completed", "agent cancelled"]);
    expect(stream.messages.at(-1)).toMatchObject({ role: "tool", parts: [{ id: "1", isError: true }] });
  });

  it("ends everything when its reader stops", async () => {
    const statuses: string[] = [];
    const watch: Plugin = {
      name: "watch",
      async agent(c, next) {
        await next();
        c.pipe({ settle: (s) => void statuses.push(`agent ${s.status}`) });
      },
      async model(c, next) {
        await next();
        c.pipe({ settle: (s) => void statuses.push(`model ${s.status}`) });
      },
    };
    const stream = createAgent({ name: "a", model: scripted("a long answer"), plugins: [watch] }).stream("go");
    for await (const _ of stream) break;
    expect(statuses).toEqual(["model cancelled", "agent cancelled"]);
  });

  it("returns the structured output, and rejects one that does not match", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const agent = (said: string) => createAgent({ name: "a", model: scripted(said), outputSchema });
    expect(await agent('{"n":3}').run("go")).toMatchObject({ output: { n: 3 } });
    expect(await codeOf(agent('{"n":"x"}').run("go"))).toBe("ERR_AGENT_OUTPUT_INVALID");
    expect(await codeOf(agent("three").run("go"))).toBe("ERR_AGENT_OUTPUT_INVALID");
  });

  it("streams the progress of a tool that yields, whose last value is the result", async () => {
    const steps = defineTool({
      name: "steps",
      async *execute() {
        yield 1;
        yield 2;
        yield "end";
      },
    });
    const model = scripted([call("1", "steps")], "done");
    const events: unknown[] = [];
    for await (const d of createAgent({ name: "a", model, tools: [steps] }).stream("go")) {
      if (d.type === "event" && d.name === "tool_progress") events.push((d.value as { progress: unknown }).progress);
    }
    expect(events).toEqual([1, 2]);
    expect(shown(model.asked[1])).toEqual(["end"]);
  });
});
