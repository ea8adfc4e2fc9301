import { describe, expect, it } from "@jest/globals";
import { type AgentOptions, approve, createAgent, defineTool, type PendingState, reject, result } from "@suite/agent";
import { type Message, type Notification, override, type Plugin, signalOf, toolCallsOf } from "@suite/core";
import { wrapToolCall } from "@suite/core/hooks";
import { callDigest } from "@suite/kit/digest";
import { call, codeOf, only, type Said, scripted, shown, suspended } from "./support.js";

/** An agent with a tool that needs approval, and what that ran with. */
function paying(rounds: readonly Said[], options: Partial<AgentOptions> = {}) {
  const ran: unknown[] = [];
  const pay = defineTool({ name: "pay", needsApproval: true, execute: (input) => ran.push(input) && "paid" });
  const model = scripted(...rounds);
  return { ran, model, agent: createAgent({ name: "a", model, tools: [pay], ...options }) };
}

const doubles = wrapToolCall((request, handler) => {
  const { amount } = request.input as { amount: number };
  return handler(override(request, { input: { amount: amount * 2 } }));
});
const callsIn = (messages: readonly Message[]) => messages.flatMap(toolCallsOf).map(({ arguments: args }) => args);
const resultsIn = (messages: readonly Message[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool_call_response" ? [part] : [])));

describe("what was approved", () => {
  it("runs unchanged if a layer rewrites the arguments, and the history keeps the model's arguments", async () => {
    const { agent, ran, model } = paying([[call("1", "pay", { amount: 10 })], "ok"], { plugins: [doubles] });
    const pending = await suspended(agent.run("pay"));
    expect(only(pending).arguments).toEqual({ amount: 20 });
    const end = await agent.run({ pending, decisions: [approve(only(pending))] });
    expect(ran).toEqual([{ amount: 20 }]);
    expect(callsIn(end.messages)).toEqual([{ amount: 10 }]);
    expect(callsIn(model.asked[1]?.messages ?? [])).toEqual([{ amount: 10 }]);
  });

  it("is asked about again where something else is about to run: edited arguments that a layer rewrites", async () => {
    const { agent, ran } = paying([[call("1", "pay", { amount: 10 })], "ok"], { plugins: [doubles] });
    const pending = await suspended(agent.run("pay"));
    const edited = approve(only(pending), { arguments: { amount: 5 } });
    const again = await suspended(agent.run({ pending, decisions: [edited] }));
    expect([only(again).arguments, ran]).toEqual([{ amount: 10 }, []]);
    const end = await agent.run({ pending: again, decisions: [approve(only(again))] });
    expect(ran).toEqual([{ amount: 10 }]);
    expect(callsIn(end.messages)).toEqual([{ amount: 5 }]);
  });

  it("is requested again if a layer of the resuming process rewrites it differently", async () => {
    const { agent } = paying([[call("1", "pay", { amount: 10 })]]);
    const pending = await suspended(agent.run("pay"));
    const decisions = [approve(only(pending))];
    const { agent: other, ran } = paying([], { plugins: [doubles] });
    const again = await suspended(other.run({ pending, decisions }));
    expect([only(again).arguments, ran]).toEqual([{ amount: 20 }, []]);
  });

  it("runs as it was displayed if the layer that rewrote it is gone", async () => {
    const { agent } = paying([[call("1", "pay", { amount: 10 })]], { plugins: [doubles] });
    const pending = await suspended(agent.run("pay"));
    const { agent: other, ran } = paying(["ok"]);
    const end = await other.run({ pending, decisions: [approve(only(pending))] });
    expect([ran, callsIn(end.messages)]).toEqual([[{ amount: 20 }], [{ amount: 10 }]]);
  });

  it("counts for a plugin of the tool, too", async () => {
    const ran: unknown[] = [];
    const execute = (input: unknown) => ran.push(input);
    const pay = defineTool({ name: "pay", needsApproval: true, execute, plugins: [doubles] });
    const model = scripted([call("1", "pay", { amount: 10 })], "ok");
    const agent = createAgent({ name: "a", model, tools: [pay] });
    const pending = await suspended(agent.run("pay"));
    await agent.run({ pending, decisions: [approve(only(pending))] });
    expect(ran).toEqual([{ amount: 20 }]);
  });

  it("contains the digest of its run, caller, tool, id and arguments", async () => {
    const args = { to: ["x"] };
    const { agent } = paying([[call("1", "pay", args)]]);
    const pending = await suspended(agent.run("pay", { userId: "ada", tenantId: "acme" }));
    const { runId } = pending;
    const bound = { runId, userId: "ada", tenantId: "acme", tool: "pay", id: "1", arguments: args };
    expect(only(pending).digest).toBe(await callDigest(bound));
  });

  it("runs once: a layer that asks again when the tool has run asks the person again", async () => {
    const twice: Plugin = {
      name: "twice",
      async tool(c, next) {
        await next();
        await c.result?.final().catch(() => {}); // it waits, the first time
        await next();
      },
    };
    const { agent, ran } = paying([[call("1", "pay", { amount: 10 })], "ok"], { plugins: [twice] });
    const pending = await suspended(agent.run("pay"));
    const again = await suspended(agent.run({ pending, decisions: [approve(only(pending))] }));
    expect([ran.length, only(again).arguments]).toEqual([1, { amount: 10 }]);
  });

  it("holds for another attempt where the tool failed, and a refusal for all attempts", async () => {
    const asked: unknown[] = [];
    let tries = 0;
    const flaky = defineTool({
      name: "pay",
      needsApproval: true,
      execute() {
        if (++tries < 3) throw new Error("busy");
        return "paid";
      },
    });
    const thrice = wrapToolCall(async (request, handler) => {
      for (let left = 2; left > 0; left--) {
        try {
          return await handler(request);
        } catch {}
      }
      return handler(request);
    });
    const rounds = [[call("1", "pay", { amount: 10 })], [call("2", "pay", { amount: 9 })], "ok"];
    const model = scripted(...rounds);
    const onHumanInput = (_: string, about: { readonly arguments: unknown }) => asked.push(about.arguments) === 1;
    const agent = createAgent({ name: "a", model, tools: [flaky], plugins: [thrice], onHumanInput });
    await agent.run("pay");
    expect([tries, asked]).toEqual([3, [{ amount: 10 }, { amount: 9 }]]);
    expect(shown(model.asked[2])).toEqual([expect.stringContaining("A person refused")]);
  });

  it("does not cover another attempt after one was given up, which may have had effects", async () => {
    const ran: unknown[] = [];
    const slow = defineTool({
      name: "pay",
      needsApproval: true,
      execute: (input, _, call) =>
        new Promise((_, refuse) => {
          ran.push(input);
          signalOf(call)?.addEventListener("abort", () => refuse(new Error("Connection reset")));
        }),
    });
    const twice: Plugin = {
      name: "twice",
      async tool(invocation, next) {
        const first = next().catch(() => {});
        for (let turn = 0; turn < 100 && ran.length === 0; turn++) await Promise.resolve();
        invocation.giveUp(new Error("late"));
        await first;
        await next();
      },
    };
    const agent = createAgent({
      name: "a",
      model: scripted([call("1", "pay", { amount: 10 })], "ok"),
      tools: [slow],
      plugins: [twice],
    });
    const pending = await suspended(agent.run("pay"));
    ran.length = 0;
    const again = await suspended(agent.run({ pending, decisions: [approve(only(pending))] }));
    expect([ran, only(again).arguments]).toEqual([[{ amount: 10 }], { amount: 10 }]);
  });

  it("is remembered as a person who was there edited it", async () => {
    const onHumanInput = () => ({ approve: true, arguments: { amount: 5 } });
    const { agent, ran } = paying([[call("1", "pay", { amount: 10 })], "ok"], { onHumanInput });
    const end = await agent.run("pay");
    expect([ran, callsIn(end.messages)]).toEqual([[{ amount: 5 }], [{ amount: 5 }]]);
  });
});

describe("ids of tool calls", () => {
  it("are unique in one reply, whatever the model made them look like", async () => {
    const said = [
      call("a", "pay", { n: 7 }),
      call("a#2", "pay", { n: 1 }),
      call("a_1", "pay", { n: 2 }),
      call("a", "pay", { n: 1000 }),
      call("", "pay", { n: 3 }),
      call("x/y", "pay", { n: 4 }),
    ];
    const { agent, ran } = paying([said, "ok"]);
    const pending = await suspended(agent.run("pay"));
    expect(new Set(pending.calls.map(({ id }) => id)).size).toBe(6);
    expect(pending.calls.slice(0, 3).map(({ id }) => id)).toEqual(["a", "a#2", "a_1"]);
    const rest = await suspended(agent.run({ pending, decisions: [approve(only(pending, 1))] }));
    expect(ran).toEqual([{ n: 1 }]);
    const end = await agent.run({ pending: rest, decisions: rest.calls.map((each) => approve(each)) });
    expect(ran).toEqual([{ n: 1 }, { n: 7 }, { n: 2 }, { n: 1000 }, { n: 3 }, { n: 4 }]);
    expect(new Set(resultsIn(end.messages).map(({ id }) => id)).size).toBe(6);
  });

  it("stay unchanged if they are unique", async () => {
    const { agent } = paying([[call("a", "pay"), call("a", "pay"), call("a_1", "pay")]]);
    const pending = await suspended(agent.run("pay"));
    expect(pending.calls.map(({ id }) => id)).toEqual(["a", "a_2", "a_1"]);
  });

  it("are unique over rounds: an approval changes no older round", async () => {
    const look = defineTool({ name: "look", execute: () => "seen" });
    const ran: unknown[] = [];
    const pay = defineTool({ name: "pay", needsApproval: true, execute: (input) => ran.push(input) });
    const model = scripted([call("", "look", { n: 1 })], [call("", "pay", { n: 9 })], "ok");
    const agent = createAgent({ name: "a", model, tools: [look, pay] });
    const pending = await suspended(agent.run("go"));
    const end = await agent.run({ pending, decisions: [approve(only(pending), { arguments: { n: 8 } })] });
    expect([ran, callsIn(end.messages)]).toEqual([[{ n: 8 }], [{ n: 1 }, { n: 8 }]]);
  });

  it("are unique where the input has some: of calls that are still to be run, too", async () => {
    const history: readonly Message[] = [
      { role: "assistant", parts: [call("a", "pay", { n: 1 })] },
      { role: "tool", parts: [{ type: "tool_call_response", id: "a", response: "paid" }] },
      { role: "assistant", parts: [call("a", "pay", { n: 2 })] },
    ];
    const { agent, ran } = paying([[call("a", "pay", { n: 3 })], "ok"]);
    const pending = await suspended(agent.run(history));
    const second = await suspended(agent.run({ pending, decisions: [approve(only(pending))] }));
    const end = await agent.run({ pending: second, decisions: [approve(only(second))] });
    expect(ran).toEqual([{ n: 2 }, { n: 3 }]);
    expect(callsIn(end.messages)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(new Set(resultsIn(end.messages).map(({ id }) => id)).size).toBe(3);
  });

  it("leave one result for each call after an abort, where they repeat, and keep the results that are there", async () => {
    const aborting = new AbortController();
    const look = defineTool({ name: "look", execute: () => "seen" });
    const hang = defineTool({
      name: "hang",
      execute: () => {
        setTimeout(() => aborting.abort(new Error("left")), 10);
        return new Promise(() => {});
      },
    });
    const model = scripted([call("", "look")], [call("", "look"), call("", "hang")]);
    const stream = createAgent({ name: "a", model, tools: [look, hang] }).stream("go", { signal: aborting.signal });
    await expect(stream.result).rejects.toThrow("left");
    const results = resultsIn(stream.messages);
    expect(results.map(({ response }) => response)).toEqual([
      "seen",
      "seen",
      "This call was interrupted; there is no result.",
    ]);
    expect(results.map(({ id }) => id)).toEqual(stream.messages.flatMap(toolCallsOf).map(({ id }) => id));
  });

  it("are the loop's, whatever a layer that suspends a call makes of them; one that waits for nothing has failed", async () => {
    const named = (id: string) => ({ type: "tool_call" as const, id, name: "look", arguments: { id } });
    const waits: Plugin = {
      name: "waits",
      async tool(c) {
        const { id } = c.request;
        c.respond({ suspended: id === "3" ? [] : [{ reason: "external", part: named(id === "1" ? "made up" : id) }] });
      },
    };
    const look = defineTool({ name: "look", execute: () => "seen" });
    const model = scripted([call("1", "look"), call("2", "look"), call("3", "look")], "ok");
    const agent = createAgent({ name: "a", model, tools: [look], plugins: [waits] });
    const pending = await suspended(agent.run("go"));
    expect(pending.calls.map(({ id }) => id)).toEqual(["1", "2"]);
    const end = await agent.run({ pending, decisions: pending.calls.map((each) => result(each, each.id)) });
    expect(resultsIn(end.messages)).toMatchObject([
      { id: "1", response: "1" },
      { id: "2", response: "2" },
      { id: "3", isError: true },
    ]);
  });
});

describe("a resume that fails before anything ran", () => {
  const refusing = (at: "agent" | "begin" | "tools"): Plugin => {
    const refuse = () => {
      throw new Error("no");
    };
    return { name: "refuses", [at]: at === "agent" ? async () => refuse() : refuse };
  };
  const pay = [call("1", "pay", { eur: 5 })];

  it.each(["agent", "begin", "tools"] as const)("uses nothing up: %s throws", async (at) => {
    const { agent, ran } = paying([pay, "ok"]);
    const pending = await suspended(agent.run("pay"));
    const resumption = { pending, decisions: [approve(only(pending))] };
    const told: Notification[] = [];
    const watch: Plugin = { name: "w", observe: (n) => void told.push(n) };
    await expect(agent.run(resumption, { plugins: [watch, refusing(at)] })).rejects.toThrow("no");
    expect([ran, told]).toEqual([[], []]);
    expect(await agent.run(resumption)).toMatchObject({ status: "completed", text: "ok" });
    expect(ran).toEqual([{ eur: 5 }]);
    expect(await codeOf(agent.run(resumption))).toBe("ERR_AGENT_PENDING_USED");
  });

  it("uses nothing up: a bad plugin of the call, or a second tool of the name", async () => {
    const { agent } = paying([pay, "ok"]);
    const pending = await suspended(agent.run("pay"));
    const resumption = { pending, decisions: [approve(only(pending))] };
    const bad: readonly Plugin[] = [{} as Plugin];
    expect(await codeOf(agent.run(resumption, { plugins: bad }))).toBe("ERR_INVALID_PLUGIN");
    const twice: Plugin = { name: "twice", tools: () => [{ name: "pay" }] };
    expect(await codeOf(agent.run(resumption, { plugins: [twice] }))).toBe("ERR_AGENT_DUPLICATE_TOOL");
    expect(await agent.run(resumption)).toMatchObject({ status: "completed" });
  });

  it("uses nothing up where a layer answers in the agent's place; the history then ends with that answer", async () => {
    const closed: Plugin = {
      name: "closed",
      async agent(c) {
        c.respond({ value: { message: { role: "assistant", parts: [{ type: "text", content: "We are closed." }] } } });
      },
    };
    const { agent, ran } = paying([[...pay, call("2", "pay", { eur: 6 })], "ok"]);
    const pending = await suspended(agent.run("pay"));
    const resumption = { pending, decisions: pending.calls.map((each) => approve(each)) };
    const answered = await agent.run(resumption, { plugins: [closed] });
    expect(answered).toMatchObject({ status: "completed", text: "We are closed." });
    expect(answered.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(resultsIn(answered.messages).map(({ id }) => id)).toEqual(["1", "2"]);
    expect(ran).toEqual([]);
    expect(await agent.run(resumption)).toMatchObject({ text: "ok" });
  });

  it("is refused where a layer took the call that waits out of the history; and uses nothing up", async () => {
    const forgets: Plugin = {
      name: "forgets",
      async agent(c, next) {
        c.request = override(c.request, { messages: c.request.messages.slice(0, 1) });
        await next();
      },
    };
    const { agent } = paying([pay, "ok"]);
    const pending = await suspended(agent.run("pay"));
    const resumption = { pending, decisions: [approve(only(pending))] };
    expect(await codeOf(agent.run(resumption, { plugins: [forgets] }))).toBe("ERR_AGENT_PENDING_INVALID");
    expect(await agent.run(resumption)).toMatchObject({ text: "ok" });
  });

  it("can be retried even if a layer has added a message after the pending call", async () => {
    const adds: Plugin = {
      name: "adds",
      async agent(c, next) {
        const note: Message = { role: "user", parts: [{ type: "text", content: "be quick" }] };
        c.request = override(c.request, { messages: [...c.request.messages, note] });
        await next();
      },
    };
    const { agent, model } = paying([pay, "ok"]);
    const pending = await suspended(agent.run("pay"));
    const resumption = { pending, decisions: [reject(only(pending))] };
    expect(await agent.run(resumption, { plugins: [adds] })).toMatchObject({ text: "ok" });
    expect(model.asked[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  });
});

describe("a run that failed after an approved tool had run", () => {
  it("leaves a state to go on from: nothing runs again, and counters go on", async () => {
    const down = new Error("503");
    const { agent, ran, model } = paying([[call("1", "pay", { eur: 5 })], down, "done"]);
    const pending = await suspended(agent.run("pay"));
    const left: (PendingState | undefined)[] = [];
    const decisions = [approve(only(pending))];
    const failing = agent.run(
      { pending, decisions },
      {
        onInterrupted({ error, messages, totals, pending: state }) {
          expect([error, totals.toolCalls, messages.at(-1)?.role]).toEqual([down, 1, "tool"]);
          left.push(state);
        },
      },
    );
    await expect(failing).rejects.toBe(down);
    expect(left[0]).toMatchObject({ runId: pending.runId, calls: [], round: 1 });
    const end = await agent.run({ pending: left[0] as PendingState, decisions: [] });
    expect(end).toMatchObject({ status: "completed", text: "done", toolCalls: 1, rounds: 2, inferenceCalls: 3 });
    expect(ran).toEqual([{ eur: 5 }]);
    expect(shown(model.asked[2])).toEqual(["paid"]);
    expect(await codeOf(agent.run({ pending: left[0] as PendingState, decisions: [] }))).toBe("ERR_AGENT_PENDING_USED");
  });

  it("leaves what still waits waiting, and what was broken off interrupted", async () => {
    const aborting = new AbortController();
    const began: string[] = [];
    const hang = defineTool({
      name: "hang",
      needsApproval: true,
      execute: () => {
        began.push("hang");
        setTimeout(() => aborting.abort(new Error("left")), 10);
        return new Promise(() => {});
      },
    });
    const pay = defineTool({ name: "pay", needsApproval: true, execute: () => began.push("pay") && "paid" });
    const model = scripted([call("1", "hang"), call("2", "pay"), call("3", "pay")], "done");
    const agent = createAgent({ name: "a", model, tools: [hang, pay] });
    const pending = await suspended(agent.run("go"));
    let left: PendingState | undefined;
    const decisions = [approve(only(pending)), approve(only(pending, 1))];
    const onInterrupted = (run: { readonly pending?: PendingState }) => {
      left = run.pending;
    };
    const options = { signal: aborting.signal, onInterrupted };
    await expect(agent.run({ pending, decisions }, options)).rejects.toThrow("left");
    expect(left?.calls.map(({ id }) => id)).toEqual(["3"]);
    const end = await agent.run({ pending: left as PendingState, decisions: [approve(only(left as PendingState))] });
    expect(began).toEqual(["hang", "pay", "pay"]);
    expect(resultsIn(end.messages).map(({ response }) => response)).toEqual([
      "This call was interrupted; there is no result.",
      "paid",
      "paid",
    ]);
  });

  it("leaves nothing to who comes with a state that was resumed before", async () => {
    const { agent } = paying([[call("1", "pay")], "ok"]);
    const pending = await suspended(agent.run("pay"));
    const resumption = { pending, decisions: [approve(only(pending))] };
    await agent.run(resumption);
    const left: unknown[] = [];
    expect(await codeOf(agent.run(resumption, { onInterrupted: (run) => void left.push(run) }))).toBe(
      "ERR_AGENT_PENDING_USED",
    );
    expect(left).toEqual([]);
  });

  it("leaves one state to resume where a layer suspends a resumed run by itself", async () => {
    const waits: Plugin = {
      name: "waits",
      async agent(c) {
        c.respond({ suspended: [] });
      },
    };
    const { agent, ran } = paying([[call("1", "pay", { eur: 5 })], "ok"]);
    const pending = await suspended(agent.run("pay"));
    const again = await suspended(agent.run({ pending, decisions: [] }, { plugins: [waits] }));
    expect(again.calls).toEqual(pending.calls);
    expect(await codeOf(agent.run({ pending, decisions: [approve(only(pending))] }))).toBe("ERR_AGENT_PENDING_USED");
    await agent.run({ pending: again, decisions: [approve(only(again))] });
    expect(ran).toEqual([{ eur: 5 }]);
  });

  it("tells nothing of a resume that used nothing up, and reports a listener that throws", async () => {
    const told: unknown[] = [];
    const { agent } = paying([[call("1", "pay")], new Error("503")]);
    const pending = await suspended(agent.run("pay"));
    const decisions = [approve(only(pending))];
    const refuses: Plugin = { name: "r", agent: () => Promise.reject(new Error("no")) };
    const onInterrupted = () => void told.push("called");
    await expect(agent.run({ pending, decisions }, { plugins: [refuses], onInterrupted })).rejects.toThrow("no");
    expect(told).toEqual([]);
    const faults: Plugin = { name: "f", observe: (n) => n.type === "fault" && void told.push(n.where) };
    const throws = () => {
      throw new Error("store is full");
    };
    const failing = agent.run({ pending, decisions }, { plugins: [faults], onInterrupted: throws });
    await expect(failing).rejects.toThrow("503");
    expect(told).toEqual(["onInterrupted"]);
  });
});
