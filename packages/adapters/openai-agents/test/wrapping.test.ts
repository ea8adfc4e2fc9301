import { afterEach, describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import { audit } from "@suite/audit";
import { definePlugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { withPlugins } from "../src/index.js";
import { called, recorder, said, scripted } from "./support.js";

const desk = (...texts: readonly string[]) =>
  new agents.Agent({ name: "desk", model: scripted(...texts.map((text) => [said(text)])).model });
const one = ["agent", "reasoning", "model"];

describe("withPlugins", () => {
  it("gives the module, all else in it being its own", () => {
    const wrapped = withPlugins(agents, [recorder().plugin]);
    expect(wrapped.Agent).toBe(agents.Agent);
    expect(wrapped.handoff).toBe(agents.handoff);
    expect(wrapped.run).not.toBe(agents.run);
    expect(new wrapped.Runner()).toBeInstanceOf(agents.Runner);
    expect(
      wrapped.tool({ name: "t", description: "", parameters: {} as never, strict: false, execute: () => 1 }),
    ).toMatchObject({
      type: "function",
    });
  });

  it("takes a runner as well, which is left as it was", async () => {
    const { plugin, calls } = recorder();
    const runner = new agents.Runner({ workflowName: "mine" });
    const wrapped = withPlugins(runner, [plugin]);
    expect(wrapped).toBeInstanceOf(agents.Runner);
    expect(wrapped.config).toBe(runner.config);
    const heard = jest.fn();
    wrapped.on("agent_end", heard);
    expect((await wrapped.run(desk("Yes."), "Hi")).finalOutput).toBe("Yes.");
    expect(heard).toHaveBeenCalledTimes(1);
    expect(calls).toEqual(one);
    await runner.run(desk("Yes."), "Hi");
    expect(calls).toEqual(one);
  });

  it("takes a runner of a class that extends the SDK's", async () => {
    const { plugin, calls } = recorder();
    class Mine extends agents.Runner {
      override run = ((...given: Parameters<agents.Runner["run"]>) => super.run(...given)) as agents.Runner["run"];
    }
    const wrapped: agents.Runner = withPlugins(new Mine(), [plugin]);
    expect((await wrapped.run(desk("Yes."), "Hi")).finalOutput).toBe("Yes.");
    expect(calls).toEqual(one);
  });

  it("joins what is attached already: nothing runs twice", async () => {
    const { plugin, calls } = recorder();
    const second = recorder();
    const { run } = withPlugins(withPlugins(agents, [plugin]), [plugin, second.plugin]);
    await run(desk("Yes."), "Hi");
    expect(calls).toEqual(one);
    expect(second.calls).toEqual(calls);
  });

  it("joins the plugins of a module where one of its runners is wrapped", async () => {
    const [first, second] = [recorder(), recorder()];
    const { Runner } = withPlugins(agents, [first.plugin]);
    await withPlugins(new Runner(), [first.plugin, second.plugin]).run(desk("Yes."), "Hi");
    expect(first.calls).toEqual(one);
    expect(second.calls).toEqual(one);
  });

  it("lets a class extend the wrapped runner", async () => {
    const { plugin, calls } = recorder();
    const { Runner } = withPlugins(agents, [plugin]);
    const noted: string[] = [];
    class Noting extends Runner {}
    Object.defineProperty(Noting.prototype, "run", {
      value(this: agents.Runner, ...given: Parameters<agents.Runner["run"]>) {
        noted.push("run");
        return Runner.prototype.run.apply(this, given);
      },
    });
    await new Noting().run(desk("Yes."), "Hi");
    expect(noted).toEqual(["run"]);
    expect(calls).toEqual(one);
  });

  it("keeps the SDK's prototype of runners, so that what is put there serves all of them", async () => {
    const { plugin, calls } = recorder();
    const { Runner, run } = withPlugins(agents, [plugin]);
    expect(Runner.prototype).toBe(agents.Runner.prototype);
    expect(new Runner()).toBeInstanceOf(Runner);
    const spy = jest.spyOn(Runner.prototype, "run");
    const helper = desk("Yes.").asTool({ toolName: "help", toolDescription: "Helps." });
    const { model } = scripted([called("help", { input: "Hi" })], [said("Done.")]);
    expect((await run(new agents.Agent({ name: "lead", model, tools: [helper] }), "Hi")).finalOutput).toBe("Done.");
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    expect(calls.filter((kind) => kind === "agent")).toHaveLength(2);
    await new agents.Runner().run(desk("Yes."), "Hi");
    expect(calls.filter((kind) => kind === "agent")).toHaveLength(2);
  });

  it("runs nothing twice where a runner of a class that extends the wrapped one is wrapped", async () => {
    const [first, second] = [recorder(), recorder()];
    class Mine extends withPlugins(agents, [first.plugin]).Runner {
      override run = ((...given: Parameters<agents.Runner["run"]>) => super.run(...given)) as agents.Runner["run"];
    }
    await withPlugins(new Mine(), [first.plugin, second.plugin]).run(desk("Yes."), "Hi");
    expect(first.calls).toEqual(one);
    expect(second.calls).toEqual(one);
  });

  it("keeps two that are wrapped apart, also where they share agents and tools", async () => {
    const [first, second] = [recorder(), recorder()];
    const agent = desk("Yes.", "Yes.");
    await withPlugins(agents, [first.plugin]).run(agent, "Hi");
    await withPlugins(agents, [second.plugin]).run(agent, "Hi");
    expect(first.calls).toEqual(one);
    expect(second.calls).toEqual(one);
  });

  it("refuses a plugin that requires what the SDK has no place for", () => {
    const compressing = definePlugin({ name: "guard", compressContext: async (_, next) => next() });
    const asking = definePlugin({ name: "asking", humanInput: async (_, next) => next() });
    const refused = expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" });
    // @ts-expect-error the SDK compresses nothing that a plugin could see
    expect(() => withPlugins(agents, [compressing])).toThrow(refused);
    // @ts-expect-error people decide outside of a run
    expect(() => withPlugins(agents, [asking])).toThrow(refused);
  });

  it("accepts tracing, pii and audit", () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const apply = { output: true, toolArguments: true, toolResults: true, systemPrompt: true, errors: true };
    expect(withPlugins(agents, [tracing(), pii({ email: "redact" }, { apply }), audit()])).toBeDefined();
    warn.mockRestore();
  });

  it("refuses what is neither the module nor a runner", () => {
    for (const plugins of [[], [recorder().plugin]]) {
      expect(() => withPlugins({} as typeof agents, plugins)).toThrow(
        expect.objectContaining({ code: "ERR_OPENAI_AGENTS_TARGET" }),
      );
    }
  });

  it("reports a frozen model, whose calls would bypass the plugins", async () => {
    const { model } = scripted([said("Yes.")]);
    const agent = new agents.Agent({ name: "desk", model: Object.freeze(model) });
    await expect(withPlugins(agents, [recorder().plugin]).run(agent, "Hi")).rejects.toMatchObject({
      code: "ERR_OPENAI_AGENTS_FROZEN",
    });
  });

  it("tells a conversation by its id, its group or its session", async () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: "ids",
      async agent({ runtime }, callNext) {
        seen.push(runtime.sessionId);
        await callNext();
      },
    });
    const { Runner, run } = withPlugins(agents, [plugin]);
    await new Runner({ groupId: "group" }).run(desk("Yes."), "Hi");
    await run(desk("Yes."), "Hi", { session: new agents.MemorySession({ sessionId: "session" }) });
    await run(desk("Yes."), "Hi");
    expect(seen).toEqual(["group", "session", undefined]);
  });
});

describe("the SDK's own tracing", () => {
  const { OPENAI_API_KEY: key } = process.env;
  afterEach(() => {
    agents.setTracingDisabled(true);
    if (key === undefined) delete process.env.OPENAI_API_KEY;
    else process.env.OPENAI_API_KEY = key;
    jest.restoreAllMocks();
  });

  it("is warned of once, where it is on and has a key, with how to choose", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const { run, Runner } = withPlugins(agents, [recorder().plugin]);
    await run(desk("Yes."), "Hi");
    process.env.OPENAI_API_KEY = "none";
    await run(desk("Yes."), "Hi");
    agents.setTraceProcessors([]);
    agents.setTracingDisabled(false);
    await new Runner({ traceIncludeSensitiveData: false }).run(desk("Yes."), "Hi");
    expect(warn).not.toHaveBeenCalled();
    await run(desk("Yes."), "Hi");
    await run(desk("Yes."), "Hi");
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("setTracingDisabled(true)"));
  });
});
