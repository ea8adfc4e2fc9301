import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool, type PendingState, type SuspendedResult } from "@suite/agent";
import { message, type Notification, type Plugin, textOf } from "@suite/core";
import { afterAgent, afterModel, beforeAgent, beforeModel } from "@suite/core/hooks";
import { call, codeOf, scripted, shown } from "./support.js";

const look = defineTool({ name: "look", execute: () => "found" });
const onceThen = () => scripted([call("1", "look")], "done");

/** Notes where it is, for every kind. */
function noting(log: string[], name: string): Plugin {
  const hook =
    (kind: string) =>
    async (_: unknown, next: () => Promise<void>): Promise<void> => {
      log.push(`>${kind}${name}`);
      await next();
      log.push(`<${kind}${name}`);
    };
  return {
    name,
    agent: hook("agent"),
    reasoning: hook("reasoning"),
    model: hook("model"),
    tool: hook("tool"),
    systemPrompt: (prompt) => {
      log.push(`prompt${name}`);
      return prompt;
    },
  };
}

describe("the order of hooks", () => {
  it("is the onion's, in every kind, and the system prompt is assembled inside reasoning, once a model call", async () => {
    const log: string[] = [];
    const plugins = [noting(log, "1"), noting(log, "2")];
    await createAgent({ name: "a", model: onceThen(), tools: [look], plugins }).run("go");
    const round = [
      ">reasoning1",
      ">reasoning2",
      "prompt1",
      "prompt2",
      ">model1",
      ">model2",
      "<model2",
      "<model1",
      "<reasoning2",
      "<reasoning1",
    ];
    expect(log).toEqual([
      ">agent1",
      ">agent2",
      ...round,
      ">tool1",
      ">tool2",
      "<tool2",
      "<tool1",
      ...round,
      "<agent2",
      "<agent1",
    ]);
  });

  it("passes each streamed delta to the inner call first: model, then reasoning, then agent", async () => {
    const log: string[] = [];
    const tell = (name: string): Plugin => {
      const hook =
        (kind: string) =>
        async (c: { pipe(stage: object): void }, next: () => Promise<void>): Promise<void> => {
          await next();
          c.pipe({
            chunk(delta: { type: string }, emit: (delta: unknown) => void) {
              if (delta.type === "part") log.push(`${kind}${name}`);
              emit(delta);
            },
          });
        };
      return { name, agent: hook("agent"), reasoning: hook("reasoning"), model: hook("model") } as Plugin;
    };
    const stream = createAgent({ name: "a", model: scripted("hi"), plugins: [tell("1"), tell("2")] }).stream("go");
    for await (const delta of stream) if (delta.type === "part") log.push("user");
    expect(log).toEqual(["model2", "model1", "reasoning2", "reasoning1", "agent2", "agent1", "user"]);
  });

  it("places a tool's plugins inside the agent's, and those of one run inside both", async () => {
    const log: string[] = [];
    const { name, tool = async () => {} } = noting(log, " of the tool");
    const own = defineTool({ name: "look", execute: () => log.push("body"), plugins: [{ name, tool }] });
    const agent = createAgent({ name: "a", model: onceThen(), tools: [own], plugins: [noting(log, " of the agent")] });
    await agent.run("go", { plugins: [noting(log, " of the run")] });
    expect(log.filter((line) => /tool of|body/.test(line))).toEqual([
      ">tool of the agent",
      ">tool of the run",
      ">tool of the tool",
      "body",
      "<tool of the tool",
      "<tool of the run",
      "<tool of the agent",
    ]);
  });

  it("enters every plugin's begin before any hook, in the order of the list", async () => {
    const log: string[] = [];
    const plugin = (name: string): Plugin => ({
      name,
      begin: () => void log.push(`begin ${name}`),
      async agent(_c, next) {
        log.push(`agent ${name}`);
        await next();
      },
    });
    await createAgent({ name: "a", model: scripted("x"), plugins: [plugin("1"), plugin("2")] }).run("go");
    expect(log).toEqual(["begin 1", "begin 2", "agent 1", "agent 2"]);
  });

  it("starts parallel tools in the order of the calls, every time", async () => {
    for (let run = 0; run < 20; run++) {
      const started: string[] = [];
      const tool = (name: string) => defineTool({ name, execute: async () => started.push(name) });
      const names = ["one", "two", "three", "four"];
      const model = scripted(
        names.map((name) => call(name, name)),
        "done",
      );
      await createAgent({ name: "a", model, tools: names.map(tool), plugins: [noting([], "x")] }).run("go");
      expect(started).toEqual(names);
    }
  });
});

describe("after a failure", () => {
  it("each layer learns of the end once: an error is not a cancellation as well", async () => {
    const log: string[] = [];
    const watch: Plugin = {
      name: "watch",
      async agent(c, next) {
        await next();
        c.pipe({ settle: (s) => void log.push(`agent ${s.status}`) });
      },
      async model(c, next) {
        await next();
        c.pipe({ settle: (s) => void log.push(`model ${s.status}`) });
      },
    };
    const model = scripted("x");
    model.stream = async function* () {
      yield { type: "part", at: "0", part: { type: "text", content: "Hel" } };
      throw new Error("cut");
    };
    const stream = createAgent({ name: "a", model, plugins: [watch] }).stream("go");
    await expect(stream.result).rejects.toThrow("cut");
    expect(log).toEqual(["model failed", "agent failed"]);
  });

  it("a fallback inside a watching layer shows the failed attempt and the one that answered, each begun and ended", async () => {
    const log: string[] = [];
    const fallback: Plugin = {
      name: "fallback",
      async model(c, next) {
        try {
          await next();
          await c.result?.ready();
        } catch {
          c.request = { ...c.request, model: "second" };
          await next();
        }
      },
    };
    const attempts: Plugin = {
      name: "attempts",
      async model(c, next) {
        log.push(`begin ${c.request.model}`);
        try {
          await next();
        } catch (error) {
          log.push(`failed ${c.request.model}`);
          throw error;
        }
        c.pipe({ settle: (s) => void log.push(`${s.status} ${c.request.model}`) });
      },
    };
    const model = scripted(new Error("down"), "fine");
    const agent = createAgent({ name: "a", model, plugins: [fallback, attempts] });
    let text = "";
    for await (const piece of agent.stream("go").text()) text += piece;
    expect(text).toBe("fine");
    expect(log).toEqual(["begin scripted-1", "failed scripted-1", "begin second", "completed second"]);
  });

  it("a simple fallback catches an error that a stream throws before its first chunk", async () => {
    const fallback: Plugin = {
      name: "fallback",
      async model(c, next) {
        try {
          await next();
          await c.result?.ready();
        } catch {
          await next();
        }
      },
    };
    let tries = 0;
    const model = scripted("unused");
    model.stream = async function* () {
      if (tries++ === 0) throw new Error("429 while streaming");
      yield { type: "part", at: "0", part: { type: "text", content: "second try" } };
    };
    let text = "";
    for await (const piece of createAgent({ name: "a", model, plugins: [fallback] })
      .stream("go")
      .text())
      text += piece;
    expect(text).toBe("second try");
  });

  it("an error of a tool layer is only reported to observers and to the model", async () => {
    const settled: string[] = [];
    const outer: Plugin = {
      name: "outer",
      async tool(_c, next) {
        try {
          await next();
        } catch (error) {
          settled.push((error as Error).message);
          throw error;
        }
      },
    };
    const broken: Plugin = {
      name: "broken",
      async tool() {
        throw new Error("layer");
      },
    };
    const model = scripted([call("1", "look"), call("2", "look")], "sorry");
    const events: unknown[] = [];
    const stream = createAgent({ name: "a", model, tools: [look], plugins: [outer, broken] }).stream("go");
    for await (const delta of stream) if (delta.type === "event") events.push([delta.name, delta.value]);
    expect(settled).toEqual(["layer", "layer"]);
    expect(events).toEqual([
      ["tool_result", { id: "1", name: "look", isError: true }],
      ["tool_result", { id: "2", name: "look", isError: true }],
    ]);
    expect(shown(model.asked[1])).toEqual(["look failed: layer", "look failed: layer"]);
  });

  it("no tool call stays unanswered in the history, so that the next turn can be sent", async () => {
    const abort = new AbortController();
    const hang = defineTool({ name: "hang", execute: () => new Promise(() => {}) });
    const stream = createAgent({ name: "a", model: scripted([call("1", "hang")]), tools: [hang] }).stream("go", {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error("gone")), 5);
    await stream.result.catch(() => {});
    const next = scripted("hello again");
    await createAgent({ name: "a", model: next, tools: [hang] }).run([
      ...stream.messages,
      message("user", "still there?"),
    ]);
    expect(next.asked[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  });

  it("the model gets no stack trace and no path, also for malformed arguments", async () => {
    const boom = defineTool({
      name: "boom",
      input: { type: "object" },
      execute() {
        throw new TypeError("x is not a function");
      },
    });
    const model = scripted([call("1", "boom"), call("2", "boom", '{"broken')], "sorry");
    await createAgent({ name: "a", model, tools: [boom] }).run("go");
    const told = JSON.stringify(shown(model.asked[1]));
    expect(told).not.toMatch(/\n|\\n| at |\.ts|\/packages\//);
    expect(told).toContain("boom failed: x is not a function");
  });
});

describe("hostile tools", () => {
  const results: Record<string, () => unknown> = {
    "a result that is part of itself": () => {
      const value: Record<string, unknown> = {};
      value.self = value;
      return value;
    },
    "a bigint": () => 10n,
    "a function": () => () => "f",
    "a getter that throws": () =>
      Object.defineProperty({}, "name", {
        enumerable: true,
        get() {
          throw new Error("getter");
        },
      }),
  };
  const thrown: Record<string, () => unknown> = {
    "an error whose message throws": () =>
      Object.defineProperty(new Error("x"), "message", {
        get() {
          throw new Error("getter");
        },
      }),
    "a revoked proxy": () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
    undefined: () => undefined,
  };

  it.each(Object.keys(results))("%s is answered, and the run goes on", async (name) => {
    const model = scripted([call("1", "odd")], "done");
    const odd = defineTool({ name: "odd", execute: () => results[name]?.() });
    expect(await createAgent({ name: "a", model, tools: [odd] }).run("go")).toMatchObject({ text: "done" });
    expect(() => JSON.stringify(model.asked[1]?.messages)).not.toThrow();
  });

  it.each(Object.keys(thrown))("%s, thrown, is a failed call, and the run goes on", async (name) => {
    const model = scripted([call("1", "odd")], "done");
    const odd = defineTool({
      name: "odd",
      execute() {
        throw thrown[name]?.();
      },
    });
    expect(await createAgent({ name: "a", model, tools: [odd] }).run("go")).toMatchObject({ text: "done" });
    expect(shown(model.asked[1])).toEqual(["odd failed."]);
  });
});

describe("jumps and suspension", () => {
  it("a jump to the end still lets every outer after-hook run, and afterAgent", async () => {
    const log: string[] = [];
    const plugins = [
      afterAgent(() => void log.push("afterAgent")),
      afterModel(() => void log.push("afterModel")),
      beforeModel(() => ({ jumpTo: "end", reply: { message: message("assistant", "limit") } }), { canJumpTo: ["end"] }),
    ];
    const result = await createAgent({ name: "a", model: scripted(), plugins }).run("go");
    expect(result).toMatchObject({ status: "completed", text: "limit" });
    expect(log).toEqual(["afterModel", "afterAgent"]);
  });

  it("a layer has a place to clean up when the model throws", async () => {
    const log: string[] = [];
    const clean: Plugin = {
      name: "clean",
      async agent(c, next) {
        try {
          await next();
          c.pipe({ settle: (s) => void log.push(s.status) });
        } catch (error) {
          log.push(`thrown: ${(error as Error).message}`);
          throw error;
        }
      },
    };
    const agent = createAgent({ name: "a", model: scripted(new Error("x"), new Error("y")), plugins: [clean] });
    await codeOf(agent.run("go"));
    await codeOf(agent.stream("go").result);
    expect(log).toEqual(["thrown: x", "failed"]);
  });

  it("beforeAgent runs again when a run is resumed, and every afterModel has run before the suspension", async () => {
    const log: string[] = [];
    const plugins = [
      beforeAgent(() => void log.push("beforeAgent")),
      afterModel((reply) => void log.push(`afterModel 1 ${textOf(reply.message)}`)),
      afterModel((reply) => void log.push(`afterModel 2 ${textOf(reply.message)}`)),
    ];
    const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const agent = createAgent({ name: "a", model: scripted([call("1", "pay")], "done"), tools: [pay], plugins });
    const first = (await agent.run("go")) as SuspendedResult;
    expect(log).toEqual(["beforeAgent", "afterModel 2 ", "afterModel 1 "]);
    const pending: PendingState = first.pending;
    await agent.run({ pending, decisions: pending.calls.map((waiting) => approve(waiting)) });
    expect(log.slice(3)).toEqual(["beforeAgent", "afterModel 2 done", "afterModel 1 done"]);
  });

  it("tools, before the model is asked, run the calls that a hook makes", async () => {
    let jumped = false;
    const plugin = beforeModel(
      () => {
        if (jumped) return undefined;
        jumped = true;
        return { jumpTo: "tools", reply: { message: message("assistant", [call("1", "look")]) } };
      },
      { canJumpTo: ["tools"] },
    );
    const model = scripted("done");
    await createAgent({ name: "a", model, tools: [look], plugins: [plugin] }).run("go");
    expect(shown(model.asked[0])).toEqual(["found"]);
  });
});

describe("observe", () => {
  it("cannot change anything, and what it throws is told to the others", async () => {
    const told: Notification[] = [];
    const bad: Plugin = {
      name: "bad",
      observe() {
        throw new Error("observer");
      },
    };
    const good: Plugin = { name: "good", observe: (n) => void told.push(n) };
    const again = [call("1", "look")];
    const agent = createAgent({
      name: "a",
      model: scripted(again, again),
      tools: [look],
      maxRounds: 2,
      plugins: [bad, good],
    });
    expect(await agent.run("go")).toMatchObject({ status: "completed" });
    expect(told.map(({ type }) => type)).toEqual(["fault", "limit"]);
  });
});
