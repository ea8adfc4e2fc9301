import { describe, expect, it } from "@jest/globals";
import {
  type AgentOptions,
  approve,
  createAgent,
  type Decision,
  defineTool,
  type PendingCall,
  reject,
  respond,
} from "@suite/agent";
import { type Notification, override, type Plugin, toolCallsOf } from "@suite/core";
import { call, codeOf, only, scripted, shown, suspended } from "./support.js";

const keys = [{ id: "k", secret: "s".repeat(32) }];

/** Two tools that note what they ran with, one of which needs approval. */
function desk(options: Partial<AgentOptions> & { readonly decisions?: PendingCall["decisions"] } = {}) {
  const { decisions, ...others } = options;
  const ran: unknown[] = [];
  const told: Notification[] = [];
  const pay = defineTool({
    name: "pay",
    input: { type: "object", properties: { eur: { type: "number" } }, required: ["eur"] },
    needsApproval: decisions === undefined ? true : { decisions, question: "Pay?" },
    execute: (input) => ran.push(["pay", input]) && "paid",
  });
  const voucher = defineTool({
    name: "voucher",
    input: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
    execute: (input) => ran.push(["voucher", input]) && "sent",
  });
  const watch: Plugin = { name: "watch", observe: (n) => void told.push(n) };
  const model = scripted([call("1", "pay", { eur: 10 })], "ok", "ok");
  const agent = createAgent({
    name: "desk",
    model,
    tools: [pay, voucher],
    resume: { keys },
    plugins: [watch],
    ...others,
  });
  return { agent, ran, told, model, tools: [pay, voucher] };
}

/** A layer round tools that notes their names. */
function noting() {
  const seen: string[] = [];
  const guard: Plugin = {
    name: "guard",
    async tool(c, next) {
      seen.push(c.request.tool.name);
      await next();
    },
  };
  return { guard, seen };
}

const madeOf = (told: readonly Notification[]) => told.flatMap((n) => (n.type === "approval" ? [n.decision] : []));
const callsIn = (messages: Parameters<typeof toolCallsOf>[0][]) =>
  messages.flatMap(toolCallsOf).map(({ name, arguments: args }) => [name, args]);

/** Goes on in what could be another process, plain or streamed. */
const ways = [
  ["run", false],
  ["stream", true],
] as const;

describe.each(ways)("a decision on an approval, by %s", (_, streaming) => {
  const resumed = (agent: ReturnType<typeof desk>["agent"], input: Parameters<typeof agent.run>[0]) =>
    streaming ? agent.stream(input).result : agent.run(input);

  it("may respond: what the person said is the result, and the tool is not run", async () => {
    const first = desk();
    const pending = await suspended(first.agent.run("pay"));
    const { agent, ran, told } = desk({ model: scripted("ok") });
    const end = await resumed(agent, { pending, decisions: [respond(only(pending), "Paid by hand.", { by: "ann" })] });
    expect(end.status).toBe("completed");
    expect([ran, madeOf(told)]).toEqual([[], ["responded"]]);
    expect(told).toContainEqual(expect.objectContaining({ type: "external_result", outcome: "completed" }));
    expect(end.messages.at(-2)?.parts).toEqual([{ type: "tool_call_response", id: "1", response: "Paid by hand." }]);
  });

  it("may name another tool, which runs with all layers round it; the history has what ran", async () => {
    const pending = await suspended(desk().agent.run("pay"));
    const { guard, seen } = noting();
    const { agent, ran, told } = desk({ model: scripted("ok"), plugins: [guard] });
    const edit = approve(only(pending), { tool: "voucher", arguments: { code: "TEN" } });
    const end = await resumed(agent, { pending, decisions: [edit] });
    expect([ran, seen]).toEqual([[["voucher", { code: "TEN" }]], ["voucher"]]);
    expect(callsIn([...end.messages])).toEqual([["voucher", { code: "TEN" }]]);
    expect(told).toEqual([]);
    expect(await codeOf(agent.run({ pending, decisions: [edit] }))).toBe("ERR_AGENT_PENDING_USED");
  });

  it.each<[string, (waiting: PendingCall) => Decision, PendingCall["decisions"]]>([
    ["an edit", (c) => approve(c, { arguments: { eur: 1 } }), ["approve", "reject"]],
    ["another tool", (c) => approve(c, { tool: "voucher", arguments: { code: "x" } }), ["approve"]],
    ["an approval as it is", (c) => approve(c), ["edit", "respond"]],
    ["a refusal", (c) => reject(c), ["approve", "edit", "respond"]],
    ["a response", (c) => respond(c, "no"), ["approve", "edit", "reject"]],
    ["an edit to a tool that there is not", (c) => approve(c, { tool: "refund" }), undefined],
    ["an edit that the tool's schema refuses", (c) => approve(c, { arguments: { eur: "ten" } }), undefined],
    ["an edit whose arguments are another tool's", (c) => approve(c, { tool: "voucher" }), undefined],
  ])("that is not allowed is refused, and uses nothing up: %s", async (_, decide, decisions) => {
    const options = decisions === undefined ? {} : { decisions };
    const pending = await suspended(desk(options).agent.run("pay"));
    expect(only(pending).decisions).toEqual(decisions);
    const { agent, ran, told } = desk({ ...options, model: scripted("ok") });
    expect(await codeOf(resumed(agent, { pending, decisions: [decide(only(pending))] }))).toBe(
      "ERR_AGENT_DECISION_NOT_ALLOWED",
    );
    expect([ran, told]).toEqual([[], []]);
    const good = decisions?.includes("approve") === false ? respond(only(pending), "done") : approve(only(pending));
    expect(await resumed(agent, { pending, decisions: [good] })).toMatchObject({ status: "completed", text: "ok" });
  });

  it("of a sub-agent that is not allowed is refused before anything is used up", async () => {
    const outer = () => {
      const inner = desk({ decisions: ["approve", "reject"], resume: {} });
      const model = scripted([call("o", "desk", { prompt: "pay" })], "done");
      const agent = createAgent({
        name: "outer",
        model,
        tools: [inner.agent.asTool({ description: "Pays." })],
        resume: { keys },
      });
      return { agent, inner };
    };
    const first = outer();
    const pending = await suspended(first.agent.run("go"));
    expect(only(pending)).toMatchObject({ id: "o/1", decisions: ["approve", "reject"] });
    const second = outer();
    second.inner.model.asked.push({} as never); // its script goes on behind its first round
    const code = await codeOf(resumed(second.agent, { pending, decisions: [respond(only(pending), "x")] }));
    expect(code).toBe("ERR_AGENT_DECISION_NOT_ALLOWED");
    // The outer model has not said its first round again.
    (second.agent.options.model as ReturnType<typeof scripted>).asked.push({} as never);
    const end = await resumed(second.agent, { pending, decisions: [approve(only(pending))] });
    expect(end).toMatchObject({ status: "completed", text: "done" });
    expect(second.inner.ran).toEqual([["pay", { eur: 10 }]]);
  });
});

describe("a person who is there", () => {
  it("may respond in the tool's place", async () => {
    const { agent, ran, model, told } = desk({ onHumanInput: () => ({ respond: { paid: true }, by: "ann" }) });
    expect(await agent.run("pay")).toMatchObject({ status: "completed" });
    expect([ran, shown(model.asked[1]), madeOf(told)]).toEqual([[], [{ paid: true }], ["responded"]]);
  });

  it("may name another tool, which is a call of its own for all layers, and counts once", async () => {
    const { guard, seen } = noting();
    const onHumanInput = () => ({ approve: true, tool: "voucher", arguments: { code: "TEN" } });
    const { agent, ran, model } = desk({ onHumanInput, plugins: [guard] });
    const end = await agent.run("pay");
    expect(end).toMatchObject({ status: "completed", toolCalls: 1 });
    expect([ran, seen, shown(model.asked[1])]).toEqual([[["voucher", { code: "TEN" }]], ["pay", "voucher"], ["sent"]]);
    expect(callsIn([...end.messages])).toEqual([["voucher", { code: "TEN" }]]);
  });

  it("is asked once, about the tool with these arguments, if the other tool also needs approval", async () => {
    let asked = 0;
    const { tools } = desk();
    const agent = createAgent({
      name: "a",
      model: scripted([call("1", "drop", {})], "ok"),
      tools: [...tools, defineTool({ name: "drop", needsApproval: true, execute: () => "dropped" })],
      onHumanInput: () => ++asked > 0 && { approve: true, tool: "pay", arguments: { eur: 2 } },
    });
    const end = await agent.run("go");
    expect([asked, callsIn([...end.messages])]).toEqual([1, [["pay", { eur: 2 }]]]);
  });

  it("is not asked again where a layer tries the other tool again, unless that has run", async () => {
    let asked = 0;
    let tries = 0;
    const flaky = defineTool({
      name: "flaky",
      execute: () => {
        if (++tries < 3) throw new Error("busy");
        return "done";
      },
    });
    const again: Plugin = {
      name: "again",
      async tool(c, next) {
        if (c.request.tool.name !== "pay") return next();
        for (let left = 3; left > 0; left--) {
          try {
            return await next();
          } catch (error) {
            if (left === 1) throw error;
          }
        }
      },
    };
    const base = desk();
    const agent = createAgent({
      name: "a",
      model: scripted([call("1", "pay", { eur: 1 })], "ok"),
      tools: [...base.tools, flaky],
      plugins: [again],
      onHumanInput: () => ++asked > 0 && { approve: true, tool: "flaky", arguments: {} },
    });
    await agent.run("pay");
    expect([asked, tries]).toEqual([1, 3]);
  });

  it.each([
    ["a decision that it does not take", { respond: "x" }, ["approve", "reject"]],
    ["a tool that there is not", { approve: true, tool: "refund" }, undefined],
    ["arguments that its schema refuses", { approve: true, arguments: { eur: "ten" } }, undefined],
  ] as const)(
    "returns %s: the call waits for another decision, and a fault contains the reason",
    async (_, answer, decisions) => {
      const offered: unknown[] = [];
      const onHumanInput = (_q: string, _c: unknown, taken: unknown) => offered.push(taken) && answer;
      const { agent, ran, told } = desk({ onHumanInput, ...(decisions && { decisions }) });
      const pending = await suspended(agent.run("pay"));
      expect([ran, offered]).toEqual([[], [decisions]]);
      expect(told.filter(({ type }) => type === "fault")).toMatchObject([
        { error: { code: "ERR_AGENT_DECISION_NOT_ALLOWED" } },
      ]);
      expect(only(pending).decisions).toEqual(decisions);
      const end = await agent.run({ pending, decisions: [approve(only(pending))] });
      expect([end.status, ran]).toEqual(["completed", [["pay", { eur: 10 }]]]);
    },
  );

  it("is offered no decision that a layer has taken off, and given none that the tool does not take", async () => {
    const narrows = (decisions: readonly ("approve" | "edit" | "respond")[]): Plugin => ({
      name: "narrows",
      async humanInput(c, next) {
        c.request = override(c.request, { decisions });
        await next();
      },
    });
    const options = { decisions: ["approve", "edit"] as const };
    const first = desk({ ...options, plugins: [narrows(["edit", "respond"])] });
    const pending = await suspended(first.agent.run("pay"));
    expect(only(pending)).toMatchObject({ decisions: ["edit"], question: "Pay?" });
    const none = desk({ ...options, plugins: [narrows(["respond"])] });
    await none.agent.run("pay"); // nobody could decide it: it has failed
    expect([none.ran, shown(none.model.asked[1])]).toEqual([[], [expect.stringContaining("pay failed")]]);
  });
});

it("refuses a rule that nobody could follow", () => {
  const rule = (decisions: unknown) => () =>
    defineTool({ name: "t", needsApproval: { decisions: decisions as never }, execute: () => 1 });
  for (const bad of [[], ["agree"], "approve"])
    expect(rule(bad)).toThrow(expect.objectContaining({ code: "ERR_AGENT_OPTIONS" }));
});
