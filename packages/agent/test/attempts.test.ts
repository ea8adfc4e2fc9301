import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool, type InterruptedRun, reject, result } from "@suite/agent";
import { type Message, MiddlewareTermination, type Notification, onAbort, type Plugin } from "@suite/core";
import { afterAgent } from "@suite/core/hooks";
import { call, codeOf, only, type Said, scripted, shown, suspended } from "./support.js";

/** Calls `callNext` again after an error, at most this number of times. */
const retry = (times: number): Plugin => ({
  name: "retry",
  async agent(_, next) {
    for (let left = times; ; left--) {
      try {
        return await next();
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  },
});

function paying(rounds: readonly Said[], plugins: readonly Plugin[], maxRounds = 16) {
  const did: string[] = [];
  const model = scripted(...rounds);
  const tools = [
    defineTool({ name: "pay", needsApproval: true, execute: () => did.push("paid") && "paid" }),
    defineTool({ name: "look", execute: () => did.push("looked") && "seen" }),
    defineTool({ name: "ship" }),
  ];
  return { did, model, agent: createAgent({ name: "a", model, tools, plugins, maxRounds }) };
}

describe("another attempt of an agent's reply", () => {
  it("has all its rounds, and asks the model", async () => {
    const { agent, model } = paying(
      [[call("1", "look")], new Error("503"), [call("1", "look")], "done"],
      [retry(1)],
      2,
    );
    expect(await agent.run("go")).toMatchObject({ text: "done", finishReason: "stop", rounds: 2 });
    expect(model.asked.map(({ messages }) => messages.length)).toEqual([1, 4, 1, 4]);
  });

  it("has all its rounds after a jump back to the model, too", async () => {
    const again = afterAgent(
      (_, { runtime }) => (runs.add(runtime).size > 0 && jumps++ === 0 ? { jumpTo: "model" } : undefined),
      {
        canJumpTo: ["model"],
      },
    );
    const runs = new Set<unknown>();
    let jumps = 0;
    const { agent } = paying([[call("1", "look")], "once", [call("1", "look")], "twice"], [again], 2);
    const end = await agent.run("go");
    expect(end).toMatchObject({ text: "twice", rounds: 2 });
    expect(end.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("asks nobody again about a call that ran, and does not run it again", async () => {
    const told: Notification[] = [];
    const watch: Plugin = { name: "watch", observe: (n) => void (n.type !== "attempt" && told.push(n)) };
    const calls = [call("1", "pay"), call("2", "pay"), call("3", "ship"), call("4", "look")];
    const { agent, did, model } = paying([calls, new Error("503"), "done"], [retry(1), watch]);
    const pending = await suspended(agent.run("go"));
    const [one, two, three] = [0, 1, 2].map((index) => only(pending, index));
    if (one === undefined || two === undefined || three === undefined) throw new Error("not all wait");
    told.length = 0;
    const decisions = [approve(one), reject(two), result(three, "sent")];
    const end = await agent.run({ pending, decisions });
    expect(end).toMatchObject({ status: "completed", text: "done", toolCalls: 3 });
    expect(did).toEqual(["looked", "paid"]);
    expect(shown(model.asked[2])).toEqual(["paid", expect.stringContaining("refused"), "sent", "seen"]);
    expect(told.map(({ type }) => type)).toEqual([
      "resume",
      "approval",
      "approval",
      "external_result",
      "external_result",
    ]);
  });

  it("does not run again what the input itself asked for", async () => {
    const { agent, did } = paying([new Error("503"), "done"], [retry(1)]);
    const input: readonly Message[] = [{ role: "assistant", parts: [call("1", "look")] }];
    expect(await agent.run(input)).toMatchObject({ text: "done" });
    expect(did).toEqual(["looked"]);
  });

  it("waits for the same calls where some still wait", async () => {
    const { agent, did } = paying([[call("1", "pay"), call("2", "pay")]], [retry(1)]);
    const pending = await suspended(agent.run("go"));
    const rest = await suspended(agent.run({ pending, decisions: [approve(only(pending))] }));
    expect([did, rest.calls.map(({ id }) => id)]).toEqual([["paid"], ["2"]]);
  });

  it("that is not made leaves the layer's answer as the end of the history, with each call answered", async () => {
    const sorry: Plugin = {
      name: "sorry",
      async agent(c, next) {
        await next().catch(() => {
          c.respond({ value: { message: { role: "assistant", parts: [{ type: "text", content: "Sorry." }] } } });
        });
      },
    };
    const { agent } = paying([new Error("503")], [sorry]);
    const end = await agent.run([{ role: "assistant", parts: [call("1", "look")] }]);
    expect(end.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    expect(end).toMatchObject({ text: "Sorry." });
  });
});

describe("a termination of the run in one tool", () => {
  const stop = defineTool({
    name: "stop",
    execute: () => Promise.reject(new MiddlewareTermination("budget", { scope: "run" })),
  });
  const hanging = (begun: string[]) =>
    defineTool({ name: "hang", execute: () => begun.push("hang") && new Promise(() => {}) });
  const interrupted = "This call was interrupted; there is no result.";

  it("leaves the others interrupted: another attempt does not begin them again", async () => {
    const begun: string[] = [];
    const model = scripted("done");
    const agent = createAgent({ name: "a", model, tools: [hanging(begun), stop], plugins: [retry(1)] });
    const input: Message = { role: "assistant", parts: [call("1", "hang"), call("2", "stop")] };
    expect(await agent.run(input)).toMatchObject({ text: "done" });
    expect(shown(model.asked[0])).toEqual([interrupted, interrupted]);
    expect(begun).toEqual(["hang"]);
  });

  it("leaves a sub-agent interrupted that was at work: going on does not start it again", async () => {
    const begun: string[] = [];
    const inner = createAgent({
      name: "A",
      model: scripted([call("1", "hang")], [call("1", "hang")]),
      tools: [hanging(begun)],
    });
    const later = defineTool({
      name: "stop",
      async execute() {
        while (begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        throw new MiddlewareTermination("budget", { scope: "run" });
      },
    });
    const model = scripted([call("x", "A", { prompt: "?" }), call("y", "stop")], "done");
    const agent = createAgent({ name: "a", model, tools: [inner.asTool({ description: "Helps." }), later] });
    let left: InterruptedRun | undefined;
    const onInterrupted = (run: InterruptedRun) => {
      left = run;
    };
    expect(await codeOf(agent.run("go", { onInterrupted }))).toBe("ERR_MIDDLEWARE_TERMINATED");
    if (left?.pending === undefined) throw new Error("nothing is left");
    // The call that stopped it was begun as well.
    expect(await agent.run({ pending: left.pending, decisions: [] })).toMatchObject({ text: "done" });
    expect(shown(model.asked[1])).toEqual([interrupted, interrupted]);
    expect(begun).toEqual(["hang"]);
  });

  it("ends it at once: the other tools of the reply are told to stop, and not waited for", async () => {
    const stopped: unknown[] = [];
    const slow = defineTool({
      name: "slow",
      execute: (_, { signal }) => new Promise(() => void onAbort(signal, () => stopped.push(signal.aborted))),
    });
    const stop = defineTool({
      name: "stop",
      execute: () => Promise.reject(new MiddlewareTermination("budget", { scope: "run" })),
    });
    const agent = createAgent({
      name: "a",
      model: scripted([call("1", "slow"), call("2", "stop")]),
      tools: [slow, stop],
    });
    expect(await codeOf(agent.run("go"))).toBe("ERR_MIDDLEWARE_TERMINATED");
    expect(stopped).toEqual([true]);
  });
});
