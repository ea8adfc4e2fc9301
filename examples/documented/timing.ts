/** The time of each call of a run, as the timing middleware of AgentScope and AgentScope Java, and Ravi's `elapsed`. */
import { createAgent } from "@suite/agent";
import { timing, timings } from "@suite/logging";
import { scriptedModel } from "@suite/testkit";

// The plugin takes the times, and the result has them.
const agent = createAgent({ name: "assistant", model: scriptedModel("Hello."), plugins: [timing()] });
const { values } = await agent.run("Hi.");
for (const { kind, milliseconds } of values.get(timings) ?? []) console.log(kind, `${Math.round(milliseconds)} ms`);
