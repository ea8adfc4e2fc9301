import { describe, expect, it } from "@jest/globals";
import {
  type Agent,
  type AgentOptions,
  answer,
  approve,
  cancel,
  createAgent,
  defineTool,
  type PendingState,
} from "@suite/agent";
import { MiddlewareTermination, type Notification, override, type Plugin } from "@suite/core";
import type { ToolSteps } from "@suite/core/contract";
import { call, codeOf, only, type Said, scripted, shown, suspended } from "./support.js";

const keys = [{ id: "k", secret: "s".repeat(32) }];
type Body = (input: { readonly n: number }, steps: ToolSteps) => unknown;

/** An agent with one tool of this body. */
function asking(
  body: Body,
  rounds: readonly Said[] = [[call("1", "ship", { n: 1 })], "ok"],
  { needsApproval = false, ...options }: Partial<AgentOptions> & { readonly needsApproval?: boolean } = {},
) {
  const model = scripted(...rounds);
  const ship = defineTool({
    name: "ship",
    execute: (input, _runtime, _call, steps) => body(input as { n: number }, steps),
    needsApproval,
  });
  return { model, agent: createAgent({ name: "a", model, tools: [ship], resume: { keys }, ...options }) };
}

/** Goes on with an answer to everything that waits, in an agent that knows nothing of the first. */
const goOn = (agent: Agent, pending: PendingState, response: unknown, streaming = false) => {
  const input = { pending, decisions: pending.calls.map((each) => answer(each, response, { by: "ann" })) };
  return streaming ? agent.stream(input).result : agent.run(input);
};

describe("a tool that asks a person in the middle", () => {
  it("returns the answer at once if a person is available", async () => {
    const body: Body = async (_input, steps) => `to ${await steps.ask("Where to?")}`;
    const asked: unknown[] = [];
    const onHumanInput = (question: string, about: unknown) => asked.push([question, about]) && "Bern";
    const { agent, model } = asking(body, undefined, { onHumanInput });
    expect(await agent.run("go")).toMatchObject({ status: "completed", toolCalls: 1 });
    expect(shown(model.asked[1])).toEqual(["to Bern"]);
    expect(asked).toEqual([["Where to?", { type: "tool_call", id: "1", name: "ship", arguments: { n: 1 } }]]);
  });

  it.each([false, true])(
    "runs again with the answer in another process; steps are done once (streamed: %s)",
    async (s) => {
      const did: string[] = [];
      const body: Body = async ({ n }, steps) => {
        did.push("looked");
        const reserved = await steps.once("reserve", () => {
          did.push(`reserved ${n}`);
          return { at: n };
        });
        const where = await steps.ask("Where to?");
        const sure = await steps.ask(`To ${where}?`);
        return steps.once("ship", () => did.push(`shipped ${reserved.at}`) && `${where} ${sure}`);
      };
      const told: Notification[] = [];
      const watch: Plugin = { name: "w", observe: (n) => void told.push(n) };
      const first = await suspended(asking(body).agent.run("go"));
      expect(only(first)).toMatchObject({ id: "1", name: "ship", reason: "input", question: "Where to?" });
      const { agent } = asking(body, [], { plugins: [watch] });
      const second = await suspended(goOn(agent, first, "Bern", s));
      expect(only(second)).toMatchObject({ id: "1", reason: "input", question: "To Bern?" });
      const last = asking(body, ["ok"]);
      const end = await goOn(last.agent, second, "yes", s);
      expect(end).toMatchObject({ status: "completed", toolCalls: 1 });
      expect(shown(last.model.asked[0])).toEqual(["Bern yes"]);
      expect(did).toEqual(["looked", "reserved 1", "looked", "looked", "shipped 1"]);
      expect(told).toContainEqual(expect.objectContaining({ type: "approval", decision: "answered", by: "ann" }));
      expect(told.map(({ type }) => type)).not.toContain("external_result"); // it has none yet
      expect(await codeOf(goOn(last.agent, second, "no"))).toBe("ERR_AGENT_PENDING_USED");
    },
  );

  it("streams its progress in each leg, and counts once", async () => {
    const body = async function* (_input: unknown, steps: ToolSteps) {
      yield "packing";
      return `to ${await steps.ask("Where to?")}`;
    };
    const pending = await suspended(asking(body).agent.run("go"));
    const { agent, model } = asking(body, ["ok"]);
    const end = await goOn(agent, pending, "Bern", true);
    expect([end.toolCalls, shown(model.asked[0])]).toEqual([1, ["to Bern"]]);
  });

  it("was approved once: it goes on with the arguments that it began with, whatever layers make of them now", async () => {
    const ran: number[] = [];
    const body: Body = async ({ n }, steps) => {
      ran.push(n);
      return steps.ask("Sure?");
    };
    const needsApproval = true;
    const first = await suspended(asking(body, undefined, { needsApproval }).agent.run("go"));
    const agreed = asking(body, [], { needsApproval }).agent;
    const second = await suspended(agreed.run({ pending: first, decisions: [approve(only(first))] }));
    expect(only(second)).toMatchObject({ reason: "input", question: "Sure?" });
    const raises: Plugin = {
      name: "raises",
      async tool(c, next) {
        c.request = override(c.request, { input: { n: 1000 } });
        await next();
      },
    };
    const { agent } = asking(body, ["ok"], { needsApproval, plugins: [raises] });
    expect((await goOn(agent, second, "yes")).status).toBe("completed");
    expect(ran).toEqual([1, 1]);
  });

  it("needs its approval, and its answer, again where a layer runs it again after it has ended well", async () => {
    const questions: string[] = [];
    const did: number[] = [];
    const body: Body = async (_input, steps) => {
      await steps.once("charge", () => did.push(1));
      return steps.ask("Sure?");
    };
    const twice: Plugin = {
      name: "twice",
      async tool(c, next) {
        await next();
        await c.result?.final();
        await next();
      },
    };
    const onHumanInput = (question: string) => questions.push(question) > 0;
    const { agent } = asking(body, undefined, { needsApproval: true, plugins: [twice], onHumanInput });
    await agent.run("go");
    expect(questions.map((each) => each.slice(0, 4))).toEqual(["May ", "Sure", "May ", "Sure"]);
    expect(did).toEqual([1]);
  });

  it("keeps answers and steps where it fails, and a layer tries it again", async () => {
    let asked = 0;
    const did: string[] = [];
    const body: Body = async (_input, steps) => {
      const where = await steps.ask("Where to?");
      const n = await steps.once("charge", () => did.push("charged"));
      if (did.push("tried") < 4) throw new Error("busy");
      return [where, n];
    };
    const thrice: Plugin = {
      name: "thrice",
      async tool(_c, next) {
        await next()
          .catch(() => next())
          .catch(() => next());
      },
    };
    const { agent, model } = asking(body, undefined, { plugins: [thrice], onHumanInput: () => ++asked && "Bern" });
    await agent.run("go");
    expect([asked, did]).toEqual([1, ["charged", "tried", "tried", "tried"]]);
    expect(shown(model.asked[1])).toEqual([["Bern", 1]]);
  });

  it("asks one question at a time, and tells the same question apart when it comes again", async () => {
    const body: Body = async (_input, steps) =>
      Promise.all([steps.ask("Who?"), steps.ask("Who?"), steps.ask("Where?")]);
    const answers = ["Ann", "Bob", "Bern"];
    let { agent, model } = asking(body);
    let pending = await suspended(agent.run("go"));
    for (const each of answers.slice(0, 2)) {
      ({ agent } = asking(body, []));
      pending = await suspended(goOn(agent, pending, each));
    }
    expect(only(pending).question).toBe("Where?");
    ({ agent, model } = asking(body, ["ok"]));
    await goOn(agent, pending, "Bern");
    expect(shown(model.asked[0])).toEqual([answers]);
  });

  it("waits though it catches what told it so, and can do no step meanwhile", async () => {
    const did: string[] = [];
    const body: Body = async (_input, steps) => {
      try {
        return await steps.ask("Sure?");
      } catch {
        await steps.once("undo", () => did.push("undone")).catch((error) => did.push(error.code));
        return "failed";
      }
    };
    const pending = await suspended(asking(body).agent.run("go"));
    const { agent, model } = asking(body, ["ok"]);
    await goOn(agent, pending, "yes");
    expect([did, shown(model.asked[0])]).toEqual([["ERR_AGENT_TOOL_WAITS"], ["yes"]]);
  });

  it("remembers a step that was still at work when the run was suspended", async () => {
    let charged = 0;
    const body: Body = async (_input, steps) => {
      const charge = () => new Promise((resolve) => setTimeout(() => resolve(++charged), 20));
      return Promise.all([steps.once("charge", charge), steps.ask("Sure?")]);
    };
    const pending = await suspended(asking(body).agent.run("go"));
    const { agent, model } = asking(body, ["ok"]);
    await goOn(agent, pending, "yes");
    expect([charged, shown(model.asked[0])]).toEqual([1, [[1, "yes"]]]);
  });

  it("repeats no step whose result cannot be stored, and does not end as a success", async () => {
    let done = 0;
    const body: Body = async (_input, steps) => {
      const code = await steps.once("odd", () => ++done && 10n).catch((error) => error.code);
      return [code, await steps.ask("Sure?")];
    };
    const pending = await suspended(asking(body).agent.run("go"));
    const { agent, model } = asking(body, ["ok"]);
    await goOn(agent, pending, "yes");
    expect([done, shown(model.asked[0])]).toEqual([1, [["ERR_AGENT_TOOL_STEP", "yes"]]]);
  });

  it("is cancelled by who gives up waiting: it is not run again", async () => {
    let ran = 0;
    const body: Body = (_input, steps) => ++ran && steps.ask("Sure?");
    const pending = await suspended(asking(body).agent.run("go"));
    const { agent, model } = asking(body, ["ok"]);
    await agent.run({ pending, decisions: [cancel(only(pending))] });
    expect([ran, shown(model.asked[0])]).toEqual([1, [expect.stringContaining("cancelled")]]);
  });

  it("continues next to other waiting calls, each with its own answer, and inside of sub-agents", async () => {
    const did: unknown[] = [];
    const body: Body = async ({ n }, steps) => {
      await steps.once("reserve", () => did.push(n));
      return [n, await steps.ask("Where to?")];
    };
    const build = (outer: readonly Said[], inner: readonly Said[]) => {
      const { agent } = asking(body, inner, { name: "inner", resume: {} });
      const tools = [agent.asTool({ description: "Helps." })];
      return createAgent({ name: "outer", model: scripted(...outer), tools, resume: { keys } });
    };
    const both = [call("1", "ship", { n: 1 }), call("2", "ship", { n: 2 })];
    const first = await suspended(build([[call("o", "inner", { prompt: "go" })]], [both]).run("go"));
    expect(first.calls.map(({ id, question }) => [id, question])).toEqual([
      ["o/1", "Where to?"],
      ["o/2", "Where to?"],
    ]);
    const decisions = [answer(only(first, 1), "Rome")];
    const second = await suspended(build([], []).run({ pending: first, decisions }));
    expect(second.calls.map(({ id }) => id)).toEqual(["o/1"]);
    const heard: unknown[] = [];
    const inner = [(request: Parameters<typeof shown>[0]) => heard.push(shown(request)) && "ok"] as unknown as Said[];
    expect(await goOn(build(["done"], inner), second, "Bern")).toMatchObject({ status: "completed", text: "done" });
    expect([did, heard]).toEqual([
      [1, 2],
      [
        [
          [1, "Bern"],
          [2, "Rome"],
        ],
      ],
    ]);
  });

  it("asks again after a run that another tool's layer has ended meanwhile", async () => {
    const body: Body = async ({ n }, steps) => {
      if (n === 2) await new Promise((resolve) => setTimeout(resolve, 10));
      return n === 2 ? "seen" : steps.ask("Sure?");
    };
    const ends: Plugin = {
      name: "ends",
      async tool(c, next) {
        await next();
        if (c.request.id === "2") throw new MiddlewareTermination("The budget is spent.");
      },
    };
    const left: (PendingState | undefined)[] = [];
    const onInterrupted = (run: { pending?: PendingState }) => void left.push(run.pending);
    const both = [call("1", "ship", { n: 1 }), call("2", "ship", { n: 2 })];
    await expect(asking(body, [both], { plugins: [ends] }).agent.run("go", { onInterrupted })).rejects.toThrow(
      "budget",
    );
    const pending = await suspended(asking(body, []).agent.run({ pending: left[0] as PendingState, decisions: [] }));
    const { agent, model } = asking(body, ["ok"]);
    await goOn(agent, pending, "yes");
    expect(shown(model.asked[0])).toEqual(["yes", expect.stringContaining("interrupted")]);
  });

  it("loses no answer, and does no step twice, where the resumed run is aborted while it is at work", async () => {
    const aborting = new AbortController();
    let charged = 0;
    const body: Body = async (_input, steps) => {
      await steps.once("charge", () => ++charged);
      await steps.ask("Sure?");
      aborting.abort(new Error("left"));
      return new Promise(() => {});
    };
    const pending = await suspended(asking(body).agent.run("go"));
    const left: (PendingState | undefined)[] = [];
    const resumption = { pending, decisions: [answer(only(pending), "yes")] };
    const options = {
      signal: aborting.signal,
      onInterrupted: (run: { pending?: PendingState }) => void left.push(run.pending),
    };
    await expect(asking(body, []).agent.run(resumption, options)).rejects.toThrow("left");
    const { agent, model } = asking(body, ["ok"]);
    expect(left).toHaveLength(1);
    await agent.run({ pending: left[0] as PendingState, decisions: [] });
    // It was broken off in the middle, and is not begun again.
    expect([charged, shown(model.asked[0])]).toEqual([1, [expect.stringContaining("interrupted")]]);
  });
});
