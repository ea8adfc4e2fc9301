import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool, type PendingState } from "@suite/agent";
import { override, type Plugin } from "@suite/core";
import type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "@suite/core/contract";
import { call, only, scripted, suspended } from "./support.js";

type Said = ApprovalRule | ApprovalVerdict | undefined;

/** A desk whose tools no rule of their own guards: plugins say what needs approval. */
function desk(...plugins: readonly Plugin[]) {
  const ran: unknown[] = [];
  const pay = defineTool({ name: "pay", execute: (input) => ran.push(input) && "paid" });
  const model = scripted([call("1", "pay", { eur: 10 })], "ok", "ok");
  const resume = { keys: [{ id: "k", secret: "s".repeat(32) }] };
  return { ran, agent: createAgent({ name: "desk", model, tools: [pay], resume, plugins }) };
}

const guard = (approval: (request: ApprovalRequest) => Said): Plugin => ({ name: "guard", approval });
const lastResult = (messages: PendingState["messages"]) => JSON.stringify(messages.at(-2));

describe("the hook approval", () => {
  it("makes a call wait by its rule, and is asked again when a person has approved it, with what they were shown", async () => {
    const asked: ApprovalRequest["approved"][] = [];
    const rule = guard(({ approved }) => {
      asked.push(approved);
      return approved === undefined ? { question: "Pay?", decisions: ["approve", "edit"] } : undefined;
    });
    const { agent, ran } = desk(rule);
    const pending = await suspended(agent.run("pay"));
    expect([ran, only(pending).question, only(pending).decisions]).toEqual([[], "Pay?", ["approve", "edit"]]);
    const edit = approve(only(pending), { arguments: { eur: 5 } });
    expect(await agent.run({ pending, decisions: [edit] })).toMatchObject({ status: "completed" });
    expect(asked).toEqual([undefined, { tool: "pay", arguments: { eur: 10 } }]);
    expect(ran).toEqual([{ eur: 5 }]);
  });

  it("sees the arguments as all layers have left them, wherever its plugin stands", async () => {
    const inner: Plugin = {
      name: "inner",
      async tool(c, next) {
        c.request = override(c.request, { input: { eur: 99 } });
        await next();
      },
    };
    const seen: unknown[] = [];
    const { agent } = desk(
      guard(({ input }) => void seen.push(input)),
      inner,
    );
    await agent.run("pay");
    expect(seen).toEqual([{ eur: 99 }]);
  });

  it.each<[string, ApprovalVerdict, unknown[], string]>([
    ["approves", { decision: "approve" }, [{ eur: 10 }], "paid"],
    ["edits", { decision: "edit", arguments: { eur: 1 } }, [{ eur: 1 }], "paid"],
    ["responds", { decision: "respond", response: "done by hand" }, [], "done by hand"],
    ["rejects", { decision: "reject", message: "too much" }, [], "too much"],
  ])("takes a verdict that %s", async (_, verdict, expected, result) => {
    const { agent, ran } = desk(guard(() => verdict));
    const end = await agent.run("pay");
    expect([end.status, ran]).toEqual(["completed", expected]);
    expect(lastResult(end.messages)).toContain(result);
  });

  it("of several plugins takes the refusal, else the rule that both take", async () => {
    const rules = [guard(() => ({ decisions: ["approve", "reject"] })), guard(() => ({ decisions: ["approve"] }))];
    const pending = await suspended(
      desk(
        ...rules,
        guard(() => ({ decision: "approve" })),
      ).agent.run("pay"),
    );
    expect(only(pending).decisions).toEqual(["approve"]);
    const { agent, ran } = desk(
      ...rules,
      guard(() => ({ decision: "reject" })),
    );
    expect([(await agent.run("pay")).status, ran]).toEqual(["completed", []]);
  });

  it("that throws fails the call: the tool does not run", async () => {
    const { agent, ran } = desk(
      guard(() => {
        throw new Error("store down");
      }),
    );
    const end = await agent.run("pay");
    expect([ran, lastResult(end.messages)]).toEqual([[], expect.stringContaining("store down")]);
  });
});
