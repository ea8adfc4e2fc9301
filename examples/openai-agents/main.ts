/** The support desk on the OpenAI Agents SDK: an agent that looks an order up, and one that refunds it once a person agrees. */

import * as agents from "@openai/agents";
import { withPlugins } from "@suite/openai-agents";
import { setupTracing } from "@suite/tracing/node";
import { desk } from "./desk.js";
import { deskModels } from "./model.js";
import { guard, plugins } from "./suite.js";

agents.setTracingDisabled(true); // The SDK's own, which would go to OpenAI.
const telemetry = setupTracing({ serviceName: "desk", redactor: guard.redactor, consoleTree: true });
const { modelProvider, close } = await deskModels();

const { Runner } = withPlugins(agents, plugins);
const runner = new Runner({ modelProvider });

let answer = await runner.run(desk, "Order 1002 came broken. Refund it. I am omar@example.org.", { stream: true });
for (;;) {
  for await (const text of answer.toTextStream({ compatibleWithNodeStreams: true })) process.stdout.write(String(text));
  await answer.completed;
  if (answer.interruptions.length === 0) break;
  // As it would be stored: the person may take days.
  const state = await agents.RunState.fromString<undefined, typeof desk>(desk, answer.state.toString());
  for (const call of state.getInterruptions()) {
    process.stdout.write(`[${call.name}: approved] `);
    state.approve(call);
  }
  answer = await runner.run(desk, state, { stream: true });
}

process.stdout.write("\n");
await close();
for (const plugin of plugins) if ("close" in plugin) await plugin.close?.();
await telemetry.shutdown();
