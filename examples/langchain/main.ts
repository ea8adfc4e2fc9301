/** The support desk on LangChain: an agent that looks an order up, and has it refunded by another system. */
import { Command, MemorySaver } from "@langchain/langgraph";
import { withPlugins } from "@suite/langchain";
import { setupTracing } from "@suite/tracing/node";
import * as langchain from "langchain";
import { deskModel } from "./model.js";
import { guard, plugins } from "./suite.js";
import { tools } from "./tools.js";

const telemetry = setupTracing({ serviceName: "desk", redactor: guard.redactor, consoleTree: true });
const { model, close } = await deskModel();

const { createAgent } = withPlugins(langchain, plugins);
const desk = createAgent({ name: "support", model, tools, checkpointer: new MemorySaver() });

const thread = { configurable: { thread_id: "ticket-7" } };
const ticket = "Order 1002 came broken. Refund it. I am omar@example.org.";
for (let input: object | undefined = { messages: [{ role: "user", content: ticket }] }; input !== undefined; ) {
  const stream = await desk.stream(input as never, { ...thread, streamMode: "messages" });
  for await (const [message] of stream) if (message.type === "ai") process.stdout.write(message.text);
  // The run waits for the payment system, which may take days: the checkpointer keeps it.
  const { tasks } = await desk.graph.getState(thread);
  const waits = tasks.some(({ interrupts }) => interrupts.length > 0);
  if (waits) process.stdout.write("[refund: in the payment system] ");
  input = waits ? new Command({ resume: { refunded: true } }) : undefined;
}

process.stdout.write("\n");
await close();
for (const plugin of plugins) if ("close" in plugin) await plugin.close?.();
await telemetry.shutdown();
