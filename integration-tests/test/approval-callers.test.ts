import { createOpenAI } from "@ai-sdk/openai";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Command, MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { withPlugins as withAiSdk } from "@suite/ai-sdk";
import { answerWith, approvals, humanInTheLoop, type PendingApproval } from "@suite/approval";
import type { Plugin } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import { withPlugins as withLangChain } from "@suite/langchain";
import * as ai from "ai";
import * as langchain from "langchain";
import { startRefundModel } from "../front-ends/world.js";

let model: Awaited<ReturnType<typeof startRefundModel>>;
beforeAll(async () => {
  model = await startRefundModel();
});
afterAll(() => model.close());

type Refund = (input: { readonly eur: number }) => string;
/** Runs an agent for one user until its call waits. Returns how the run goes on for a user. */
type Start = (plugins: readonly Plugin[], refund: Refund, user: string) => Promise<(user: string) => Promise<unknown>>;

const properties = { eur: { type: "number" } } as const;
const schema = { type: "object" as const, properties, required: ["eur"] };
const messages = [{ role: "user" as const, content: "Refund it." }];

const inAgent: Start = async (plugins, refund, userId) => {
  const tools = [defineTool({ name: "refund", execute: (input) => refund(input as { eur: number }) })];
  const agent = createAgent({ name: "support", model: openai("gpt-5-mini"), tools, plugins });
  const first = await agent.run("Refund it.", { userId });
  if (first.status !== "suspended") throw new Error("The run does not wait.");
  const [call] = first.pending.calls;
  const decisions = [{ id: call?.id ?? "", digest: call?.digest ?? "", type: "approve" as const }];
  // Its state is signed, and contains the user.
  return (user) => agent.run({ pending: first.pending, decisions }, { userId: user });
};

const inAiSdk: Start = async (plugins, refund, userId) => {
  let user = userId;
  const { generateText } = withAiSdk(ai, plugins, { run: () => ({ userId: user }) });
  const tools = { refund: ai.tool({ inputSchema: ai.jsonSchema<{ eur: number }>(schema), execute: refund }) };
  const turn = (history: ai.ModelMessage[]) =>
    generateText({ model: createOpenAI()("gpt-5-mini"), tools, messages: history });
  const { response, content } = await turn(messages);
  const asked = content.find((part) => part.type === "tool-approval-request");
  const approvalId = asked?.approvalId ?? "";
  const approved = [{ type: "tool-approval-response" as const, approvalId, approved: true }];
  return (other) => {
    user = other;
    return turn([...messages, ...response.messages, { role: "tool", content: approved }]);
  };
};

const inLangChain: Start = async (plugins, refund, userId) => {
  let user = userId;
  const { createAgent: create } = withLangChain(langchain, plugins, { run: () => ({ userId: user }) });
  const tools = [langchain.tool(refund, { name: "refund", description: "Refunds.", schema })];
  const checkpointer = new MemorySaver();
  const agent = create({ name: "support", model: new ChatOpenAI("gpt-5-mini"), tools, checkpointer });
  const config = { configurable: { thread_id: "t" } };
  await agent.invoke({ messages }, config);
  return (other) => {
    user = other;
    return agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
  };
};

describe.each<[string, Start]>([
  ["@suite/agent", inAgent],
  ["the AI SDK", inAiSdk],
  ["LangChain", inLangChain],
])("an approval in %s", (_, start) => {
  /** A call that waits for a user, and was approved. */
  async function approved() {
    const options = { store: memoryStateStore(), keys: [{ id: "k", secret: "s".repeat(32) }] };
    const asked: PendingApproval[] = [];
    const ran: unknown[] = [];
    const guard = humanInTheLoop({ refund: true }, { ...options, ask: (request) => void asked.push(request) });
    const refund: Refund = (input) => {
      ran.push(input);
      return "refunded";
    };
    const goOn = await start([guard], refund, "ada");
    const [request] = asked;
    if (request === undefined) throw new Error("Nothing waits.");
    expect(request.userId).toBe("ada");
    await approvals(options).answer(answerWith(request, { decision: "approve" }));
    return { goOn, ran };
  }

  it("runs the call once for the caller that asked", async () => {
    const { goOn, ran } = await approved();
    await goOn("ada");
    await goOn("ada").catch(() => {});
    expect(ran).toEqual([{ eur: 40 }]);
  });

  it("runs the call once if three resumes are concurrent", async () => {
    const { goOn, ran } = await approved();
    await Promise.allSettled([goOn("ada"), goOn("ada"), goOn("ada")]);
    expect(ran).toEqual([{ eur: 40 }]);
  });

  it("runs nothing for another caller", async () => {
    const { goOn, ran } = await approved();
    await goOn("bob").catch(() => {});
    expect(ran).toEqual([]);
  });
});

it("concurrent resumes of a LangGraph thread run a call once, and no answer denies that it ran", async () => {
  const options = { store: memoryStateStore(), keys: [{ id: "k", secret: "s".repeat(32) }] };
  const asked: PendingApproval[] = [];
  const ran: unknown[] = [];
  const guard = humanInTheLoop({ refund: true }, { ...options, ask: (request) => void asked.push(request) });
  const refund: Refund = (input) => {
    ran.push(input);
    return "refunded";
  };
  const goOn = await inLangChain([guard], refund, "ada");
  await approvals(options).answer(answerWith(asked[0] as PendingApproval, { decision: "approve" }));
  const results = (await Promise.all([1, 2, 3].map(() => goOn("ada")))) as {
    readonly messages: readonly { readonly type: string; readonly text: string }[];
  }[];
  expect(ran).toEqual([{ eur: 40 }]);
  const answers = results.map(({ messages: all }) => all.find(({ type }) => type === "tool")?.text ?? "");
  expect(answers.filter((answer) => answer === "refunded")).toHaveLength(1);
  for (const answer of answers.filter((each) => each !== "refunded")) {
    expect(answer).toContain(
      "was already used, so an earlier attempt may have run the call. This attempt did not run refund.",
    );
    expect(answer).not.toContain("refund was not run");
  }
});
