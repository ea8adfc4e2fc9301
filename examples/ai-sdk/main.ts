/** The support desk on the AI SDK: an agent that looks an order up, and has it refunded by another system. */
import { withPlugins } from "@suite/ai-sdk";
import { setupTracing } from "@suite/tracing/node";
import type { ModelMessage } from "ai";
import * as ai from "ai";
import { deskModel } from "./model.js";
import { guard, plugins } from "./suite.js";
import { tools } from "./tools.js";

const telemetry = setupTracing({ serviceName: "desk", redactor: guard.redactor, consoleTree: true });
const { model, close } = await deskModel();

const { ToolLoopAgent } = withPlugins(ai, plugins);
const desk = new ToolLoopAgent({ id: "support", model, tools });

let messages: ModelMessage[] = [{ role: "user", content: "Order 1002 came broken. Refund it. I am omar@example.org." }];
for (;;) {
  const answer = await desk.stream({ messages });
  for await (const text of answer.textStream) process.stdout.write(text);
  const { messages: said } = await answer.response;
  // As it would be stored: the payment system may take days.
  messages = JSON.parse(JSON.stringify([...messages, ...said]));
  const refunds = (await answer.toolCalls).filter(({ toolName }) => toolName === "refund");
  if (refunds.length === 0) break;
  process.stdout.write("[refund: in the payment system] ");
  messages.push({ role: "tool", content: refunds.map(refunded) });
}

process.stdout.write("\n");
await close();
for (const plugin of plugins) if ("close" in plugin) await plugin.close?.();
await telemetry.shutdown();

/** The answer of the payment system: the result of a refund's tool call. */
function refunded({ toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string }) {
  return { type: "tool-result", toolCallId, toolName, output: { type: "json", value: { refunded: true } } } as const;
}
