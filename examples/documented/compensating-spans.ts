/** A span for a tool that ran elsewhere, made when its result comes, as `TracingMiddleware` of AgentScope. */
import { setTimeout } from "node:timers/promises";
import { createAgent, defineTool, result } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";

const consoleTree = { write: (text: string) => void process.stdout.write(text) };
const telemetry = setupTracing({ serviceName: "robot", consoleTree });
const drive = defineTool({ name: "drive" }); // without `execute`: it runs elsewhere
const model = scriptedModel({ toolCalls: [{ name: "drive", arguments: { to: "dock" } }] }, "There.");
const agent = createAgent({ name: "robot", model, tools: [drive], plugins: [tracing()] });
const first = await agent.run("Go to the dock.");
await setTimeout(50);

// The span is made from the result: below the turn that asked, for the time in which the robot drove.
if (first.status === "suspended") {
  const { pending } = first;
  await agent.run({ pending, decisions: pending.calls.map((call) => result(call, "arrived")) });
}

await telemetry.shutdown();
