import { createAgent, defineTool, type PendingState } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { type ApprovalOptions, humanInTheLoop, type Question } from "@suite/approval";
import { decisionHandler, webhook } from "@suite/approval/webhook";
import type { Viewer } from "@suite/viewer";
import { signed } from "../../examples/refunds/person.js";
import type { Asked, Desk, World } from "./world.js";

/** A run of an agent that waits for a refund to be approved. */
async function waiting({ desk, options, refund }: Desk, more: ApprovalOptions = {}) {
  const agent = createAgent({
    name: "support",
    model: openai("gpt-5-mini"),
    tools: [defineTool({ name: "refund", execute: (input) => refund(input as { eur: number }) })],
    plugins: [humanInTheLoop({ refund: true }, { ...options, ...more })],
  });
  const first = await agent.run("Refund it.");
  if (first.status !== "suspended") throw new Error("The run does not wait.");
  let pending: PendingState | undefined = first.pending;
  return {
    questions: await desk.questions(first.pending),
    /** Goes on with the decisions that there are. */
    async goOn(): Promise<void> {
      if (pending === undefined) return;
      const result = await agent.run({ pending, decisions: await desk.decisions(pending) });
      pending = result.status === "suspended" ? result.pending : undefined;
    },
  };
}

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A service that receives questions by webhook and answers by webhook. */
export async function service(world: World): Promise<Asked> {
  const shared = await world.load<Desk>("desk");
  const received: Question[] = [];
  const url = await world.serve(async (request) => {
    received.push(((await request.json()) as { readonly data: Question }).data);
    return new Response(null, { status: 202 });
  });
  const run = await waiting(shared, { ask: webhook({ url, secret }) });
  const inbox = await world.serve(decisionHandler({ ...shared.options, secret, onDecision: () => run.goOn() }));
  const [question] = received;
  if (question === undefined) throw new Error("No webhook came.");
  return {
    question,
    async answer(answer) {
      const body = JSON.stringify({ data: answer });
      const response = await fetch(inbox, { method: "POST", body, headers: signed(secret, body) });
      const { status } = (await response.json()) as { readonly status: string };
      await run.goOn().catch(() => {}); // it may not run, even if the program goes on
      return response.ok ? "accepted" : status;
    },
  };
}

/** The HTTP interface of the viewer, as its page uses it. */
export async function viewer(world: World): Promise<Asked> {
  const shared = await world.load<Desk>("desk");
  const { viewer: shown } = await world.load<{ readonly viewer: Viewer }>("page");
  world.onClose(() => shown.close());
  const run = await waiting(shared);
  const [question] = run.questions;
  if (question === undefined) throw new Error("There is no question.");
  const url = new URL(shown.url);
  const headers = {
    authorization: `Bearer ${url.searchParams.get("token")}`,
    "content-type": "application/json",
  };
  return {
    question,
    async answer(answer) {
      const { id, ...decision } = answer as { readonly id: string };
      const to = new URL(`/api/approvals/${id}`, url);
      const response = await fetch(to, { method: "POST", headers, body: JSON.stringify(decision) });
      await run.goOn().catch(() => {});
      return response.ok ? "accepted" : await response.text();
    },
  };
}
