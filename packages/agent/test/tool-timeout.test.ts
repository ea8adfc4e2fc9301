import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool, type PendingState } from "@suite/agent";
import { type Plugin, signalOf } from "@suite/core";
import { call, only, type Said, scripted, shown, suspended } from "./support.js";

const once = [[call("1", "slow")], "ok"] as const;
const hangs = () => new Promise<never>(() => {});
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const timedOut = expect.stringMatching(/^slow took longer than \d+ ms/);

describe("a tool that takes longer than its timeout", () => {
  it.each([
    ["its own", { timeout: 20 }, {}],
    ["the agent's", {}, { toolTimeout: 20 }],
    ["its own, which goes before the agent's", { timeout: 20 }, { toolTimeout: 10_000 }],
  ])("is told to stop by its signal, and has failed: %s", async (_, ofTool, ofAgent) => {
    let signal: AbortSignal | undefined;
    let end: unknown;
    const slow = defineTool({
      name: "slow",
      ...ofTool,
      execute(_input, runtime, id) {
        signal = signalOf(id);
        signal?.addEventListener("abort", () => {
          end = signal?.reason.code;
        });
        expect(runtime.signal.aborted).toBe(false);
        return hangs();
      },
    });
    const errors: unknown[] = [];
    const watch: Plugin = {
      name: "watch",
      tool: async (_c, next) => next().catch((error) => Promise.reject(errors.push(error.code) && error)),
    };
    const model = scripted(...once);
    const done = await createAgent({ name: "a", model, tools: [slow], plugins: [watch], ...ofAgent }).run("go");
    expect(done).toMatchObject({ status: "completed", text: "ok", toolCalls: 1 });
    expect([shown(model.asked[1]), signal?.aborted, end, errors]).toEqual([
      [timedOut],
      true,
      "ERR_AGENT_TOOL_TIMEOUT",
      ["ERR_AGENT_TOOL_TIMEOUT"],
    ]);
    expect(done.messages.at(-2)?.parts[0]).toMatchObject({ isError: true });
  });

  it("fails while it streams progress, too; the time in which nobody reads does not count", async () => {
    const build = (wait: () => Promise<unknown>) => {
      const slow = defineTool({
        name: "slow",
        timeout: 200,
        async *execute() {
          yield 1;
          await wait();
          yield 2;
        },
      });
      const model = scripted(...once);
      return { model, agent: createAgent({ name: "a", model, tools: [slow] }) };
    };
    const hanging = build(hangs);
    await hanging.agent.run("go");
    expect(shown(hanging.model.asked[1])).toEqual([timedOut]);
    const read = build(() => later(0));
    for await (const delta of read.agent.stream("go")) if (delta.type === "event") await later(300);
    expect(shown(read.model.asked[1])).toEqual([2]);
  });

  it("needs its approval again, and begins no step any more: whether it did its work is not known", async () => {
    let asked = 0;
    const did: unknown[] = [];
    const left: Promise<unknown>[] = [];
    const slow = defineTool({
      name: "slow",
      timeout: 20,
      needsApproval: true,
      async execute(_input, _runtime, call, steps) {
        // Goes on when its time is over, however long the machine takes for that.
        const over = new Promise((resolve) => signalOf(call)?.addEventListener("abort", resolve));
        const working = over.then(() => steps.once("charge", () => did.push("charged")));
        left.push(working.catch((error) => did.push(error.code)));
        return working;
      },
    });
    const twice: Plugin = { name: "twice", tool: async (_c, next) => next().catch(() => next()) };
    const model = scripted(...once);
    await createAgent({ name: "a", model, tools: [slow], plugins: [twice], onHumanInput: () => ++asked > 0 }).run("go");
    await Promise.all(left);
    expect([asked, did]).toEqual([2, ["ERR_AGENT_TOOL_TIMEOUT", "ERR_AGENT_TOOL_TIMEOUT"]]);
  });

  it("has its time for itself: none in which a person is asked", async () => {
    const slow = defineTool({
      name: "slow",
      timeout: 20,
      execute: (_input, _runtime, _call, steps) => steps.ask("Sure?"),
    });
    const onHumanInput = () => later(60).then(() => "yes");
    const model = scripted(...once);
    await createAgent({ name: "a", model, tools: [slow], onHumanInput }).run("go");
    expect(shown(model.asked[1])).toEqual(["yes"]);
  });

  it("is a sub-agent, whose run is stopped and continues if a layer retries it", async () => {
    const did: string[] = [];
    const look = defineTool({ name: "look", execute: () => did.push("looked") });
    const hang = () => {
      did.push("asked");
      return hangs() as unknown as string;
    };
    const rounds: Said[] = [[call("1", "look")], "found"];
    const model = scripted(...rounds);
    let first = true;
    const inner = createAgent({
      name: "slow",
      model: {
        ...model,
        generate: (request, options) => {
          if (request.messages.length === 1 || !first) return model.generate(request, options);
          first = false;
          return hang() as never;
        },
      },
      tools: [look],
    });
    const twice: Plugin = { name: "twice", tool: async (_c, next) => next().catch(() => next()) };
    const outer = scripted([call("o", "slow", { prompt: "go" })], "ok");
    const tools = [inner.asTool({ description: "Slow.", timeout: 50 })];
    await createAgent({ name: "a", model: outer, tools, plugins: [twice], toolTimeout: 5 }).run("go");
    expect([did, shown(outer.asked[1])]).toEqual([["looked", "asked"], ["found"]]);
  });

  it("may be timed by a plugin as well, through giveUp: its signal aborts, also a sub-agent's", async () => {
    const seen: unknown[] = [];
    const limit: Plugin = {
      name: "limit",
      async tool(c, next) {
        const late = later(20).then(() => Promise.reject(new Error("late")));
        try {
          await Promise.race([next(), late]);
        } catch (error) {
          c.giveUp(error);
          throw error;
        }
      },
    };
    const slow = defineTool({
      name: "slow",
      execute: (_input, runtime, id) => {
        const signal = signalOf(id) as AbortSignal;
        signal.addEventListener("abort", () => seen.push(signal.reason.message, runtime.signal.aborted));
        return hangs();
      },
    });
    const inner = createAgent({ name: "helper", model: scripted(...once), tools: [slow] });
    const model = scripted([call("o", "helper", { prompt: "go" })], "ok");
    await createAgent({ name: "a", model, tools: [inner.asTool({ description: "Helps." })], plugins: [limit] }).run(
      "go",
    );
    expect(shown(model.asked[1])).toEqual(["helper failed: late"]);
    await later(10);
    expect(seen).toEqual(["late", true]);
  });

  it("waits for a person without a limit: a question in time continues later with the full time", async () => {
    const body = (ms: number) =>
      defineTool({
        name: "slow",
        timeout: 1000,
        async execute(_input, _runtime, _call, steps) {
          await steps.once("look", () => later(ms));
          return steps.ask("Sure?");
        },
      });
    const build = (rounds: readonly Said[]) =>
      createAgent({ name: "a", model: scripted(...rounds), tools: [body(600)] });
    const pending: PendingState = await suspended(build(once).run("go"));
    const { id, digest } = only(pending);
    const end = await build(["ok"]).run({ pending, decisions: [{ id, digest, type: "answer", response: "yes" }] });
    expect(end.messages.at(-2)?.parts[0]).toMatchObject({ response: "yes" });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("is refused where it is no time: %s", (timeout) => {
    const model = scripted("ok");
    const code = expect.objectContaining({ code: "ERR_AGENT_OPTIONS" });
    expect(() => createAgent({ name: "a", model, tools: [{ name: "slow", timeout }] })).toThrow(code);
    expect(() => createAgent({ name: "a", model, toolTimeout: timeout })).toThrow(code);
  });
});
