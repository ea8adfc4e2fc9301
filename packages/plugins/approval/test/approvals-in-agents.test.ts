import { describe, expect, it } from "@jest/globals";
import {
  type AgentInput,
  type AgentResult,
  type AgentTool,
  createAgent,
  defineTool,
  type PendingState,
} from "@suite/agent";
import { approvalRequired, approvals, humanInTheLoop, type PersonDecision, type ToolApproval } from "@suite/approval";
import type { Plugin } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import * as v from "valibot";
import { z } from "zod";
import { call, type Said, scripted, suspended } from "../../../agent/test/support.js";

/** A desk at which people decide, and tools that write down what they ran with. */
function desk() {
  const store = memoryStateStore();
  const asked: string[] = [];
  const ran: unknown[] = [];
  const options = { store, ask: ({ id }: { readonly id: string }) => void asked.push(id) };
  const people = approvals({ store });
  const tool = (name: string, plugins: readonly Plugin[] = []): AgentTool =>
    defineTool({ name, plugins, execute: (input) => ran.push([name, input]) && `${name} ran` });
  const decide = async (pending: PendingState, decision: PersonDecision): Promise<AgentInput> => {
    await people.decide(asked.at(-1) ?? "none", decision);
    return { pending, decisions: await people.decisions(pending) };
  };
  return { options, asked, ran, tool, decide };
}
const textIn = (result: AgentResult) => (result.status === "completed" ? result.text : result.status);
const agentOf = (tools: readonly AgentTool[], plugins: readonly Plugin[], ...rounds: readonly Said[]) =>
  createAgent({ name: "outer", model: scripted(...rounds), tools, plugins });

describe("approvalRequired", () => {
  it("holds only calls of the tool that it wraps", async () => {
    const { options, ran, tool, decide } = desk();
    const tools = [tool("pay", [approvalRequired(true, options)]), tool("look")];
    const agent = agentOf(tools, [], [call("1", "look"), call("2", "pay", { eur: 10 })], "Done.");
    const pending = await suspended(agent.run("go"));
    expect(ran).toEqual([["look", {}]]);
    const ended = await agent.run(await decide(pending, { decision: "approve", by: "ann" }));
    expect([textIn(ended), ran]).toEqual([
      "Done.",
      [
        ["look", {}],
        ["pay", { eur: 10 }],
      ],
    ]);
  });

  it("takes the rules that a guard takes: some arguments need none, and some decisions are not allowed", async () => {
    const { options, ran, tool, decide } = desk();
    const rule: ToolApproval = { when: (args) => (args as { eur: number }).eur > 50, allowedDecisions: ["reject"] };
    const pay = tool("pay", [approvalRequired(rule, options)]);
    const agent = agentOf([pay], [], [call("1", "pay", { eur: 50 }), call("2", "pay", { eur: 51 })], "Done.");
    const pending = await suspended(agent.run("go"));
    await expect(decide(pending, { decision: "approve" })).rejects.toMatchObject({ code: "ERR_APPROVAL_NOT_ALLOWED" });
    await agent.run(await decide(pending, { decision: "reject" }));
    expect(ran).toEqual([["pay", { eur: 50 }]]);
  });
});

describe.each<[string, NonNullable<ToolApproval["argsSchema"]>]>([
  ["Standard Schema, as Zod follows it", z.object({ eur: z.number().max(20) })],
  ["Standard Schema, as Valibot follows it", v.object({ eur: v.pipe(v.number(), v.maxValue(20)) })],
  ["JSON Schema", { type: "object", properties: { eur: { type: "number", maximum: 20 } }, required: ["eur"] }],
])("an edit under a schema: %s", (_, argsSchema) => {
  const guarded = (options: Parameters<typeof humanInTheLoop>[1]) => humanInTheLoop({ pay: { argsSchema } }, options);

  it("runs with the edited arguments that fit", async () => {
    const { options, ran, tool, decide } = desk();
    const agent = agentOf([tool("pay")], [guarded(options)], [call("1", "pay", { eur: 90 })], "Done.");
    const pending = await suspended(agent.run("go"));
    await agent.run(await decide(pending, { decision: "edit", arguments: { eur: 20 } }));
    expect(ran).toEqual([["pay", { eur: 20 }]]);
  });

  it("is refused where they do not, and runs nothing", async () => {
    const { options, ran, tool, decide } = desk();
    const agent = agentOf([tool("pay")], [guarded(options)], [call("1", "pay", { eur: 90 })], "Done.");
    const pending = await suspended(agent.run("go"));
    // What the process that decides cannot check, since a Standard Schema is code, the one that goes on refuses.
    const went = await decide(pending, { decision: "edit", arguments: { eur: 21 } }).then(
      (input) => agent.run(input).then(({ messages }) => JSON.stringify(messages)),
      (error: { readonly code: string }) => error.code,
    );
    expect(went).toMatch(/ERR_APPROVAL_NOT_ALLOWED|does not allow the edited arguments/);
    expect(ran).toEqual([]);
  });
});

describe("a guard of an agent", () => {
  it("holds the calls of agents that are its tools, each once", async () => {
    const { options, ran, tool, decide } = desk();
    const inner = createAgent({
      name: "payer",
      model: scripted([call("p", "pay", { eur: 10 })], "I paid."),
      tools: [tool("pay")],
    });
    const outer = [inner.asTool({ description: "Pays." }), tool("look")];
    const rounds: readonly Said[] = [[call("1", "payer", { prompt: "pay" }), call("2", "look")], "Done."];
    const agent = agentOf(outer, [humanInTheLoop({ pay: true }, options)], ...rounds);
    const pending = await suspended(agent.run("go"));
    expect(ran).toEqual([["look", {}]]);
    const ended = await agent.run(await decide(pending, { decision: "approve" }));
    expect([textIn(ended), ran]).toEqual([
      "Done.",
      [
        ["look", {}],
        ["pay", { eur: 10 }],
      ],
    ]);
    expect(
      await agent.run({ pending, decisions: [] }).then(
        ({ status }) => status,
        ({ code }) => code,
      ),
    ).toBe("ERR_AGENT_PENDING_USED");
    expect(ran).toHaveLength(2);
  });
});
