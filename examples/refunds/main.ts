/** Refunds for tenants that have a budget, with a model that fails now and then, and a person who approves by webhook. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { approvals, humanInTheLoop } from "@suite/approval";
import { decisionHandler, webhook } from "@suite/approval/webhook";
import { audit, fileSink } from "@suite/audit";
import { memoryStateStore } from "@suite/kit/store";
import { costBudget } from "@suite/limits";
import { logging } from "@suite/logging";
import { modelFallback, retryModel, timeout } from "@suite/resilience";
import { startModelServer } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import { person } from "./person.js";

const telemetry = setupTracing({ serviceName: "refunds", consoleTree: true });
const server = await startModelServer();
const usage = { inputTokens: 100, outputTokens: 400 };
server.script(
  { fault: { status: 503 } }, // tried again
  { fault: { status: 401 } }, // not worth it: the other model is asked
  { toolCalls: [{ name: "refund", arguments: { order: "A-17", eur: 40 } }], usage },
  { text: "40 EUR are on their way.", usage },
);
const client = { baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 };

// What processes share is in one store: Redis or Postgres in production.
const store = memoryStateStore();
const secret = `whsec_${randomBytes(32).toString("base64")}`;
const price = { input: 0.25, output: 2, maxOutputTokens: 1000 }; // per million tokens
const prices = { "model-a": price, "model-b": price };

// Runs that wait, and what ends their waiting: a decision may come before anybody looks.
const decided = new Map<string, { readonly promise: Promise<void>; readonly resolve: () => void }>();
function decisionOn(runId: string) {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const made = decided.get(runId) ?? { promise, resolve };
  decided.set(runId, made);
  return made;
}
const handle = decisionHandler({ store, secret, onDecision: ({ runId }) => decisionOn(runId).resolve() });
const inbox = createServer(async (request, response) => {
  const headers = new Headers(request.headers as Record<string, string>);
  const answer = await handle(
    new Request("http://localhost/", { method: "POST", headers, body: await buffer(request) }),
  );
  response.writeHead(answer.status).end(await answer.text());
});
await new Promise<void>((resolve) => inbox.listen(0, "127.0.0.1", resolve));
const ann = await person(secret, () => `http://127.0.0.1:${(inbox.address() as AddressInfo).port}/`);

const plugins = [
  tracing(),
  audit({ sink: fileSink({ dir: "refunds-output" }) }),
  logging({ logger: { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} } }), // pino, say
  modelFallback({ models: ["model-b"], fallbackOn: () => true }),
  retryModel({ maxAttempts: 2, initialDelay: 10 }),
  timeout({ call: 10_000 }),
  costBudget({ budget: 0.0035, per: "day", tenant: ({ userId }) => userId, prices, store }),
  humanInTheLoop(
    { refund: { allowedDecisions: ["approve", "reject"] } },
    { store, ask: webhook({ url: ann.url, secret }) },
  ),
];

const refund = defineTool({
  name: "refund",
  parameters: {
    type: "object",
    properties: { order: { type: "string" }, eur: { type: "number" } },
    required: ["order", "eur"],
  },
  execute: ({ order, eur }: { order: string; eur: number }) => {
    console.log(`refunded ${eur} EUR for ${order}`);
    return "done";
  },
});
const agent = createAgent({ name: "refunds", model: openai("model-a", client), tools: [refund], plugins });
const desk = approvals({ store });

/** Runs the agent, and goes on when a person has decided. */
async function answer(question: string, userId: string): Promise<string> {
  const first = await agent.run(question, { userId });
  if (first.status === "completed") return first.text;
  const { pending } = first;
  await decisionOn(pending.runId).promise;
  const result = await agent.run({ pending, decisions: await desk.decisions(pending) }, { userId });
  return result.status === "completed" ? result.text : "still waiting";
}

console.log(await answer("Please refund order A-17.", "acme"));
console.log(await answer("And now order B-3.", "acme")); // acme's budget of today does not allow another call
await agent.close();
ann.close();
inbox.close();
await server.close();
await telemetry.shutdown();
