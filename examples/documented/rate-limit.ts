/** A least time between model calls, as the rate-limit middleware of AgentScope and AgentScope Java. */
import { createAgent } from "@suite/agent";
import { rateLimit } from "@suite/limits";
import { scriptedModel } from "@suite/testkit";

// No model call begins earlier than 100 ms after the one before.
const plugins = [rateLimit({ minInterval: 100 })];

const agent = createAgent({ name: "assistant", model: scriptedModel("One.", "Two."), plugins });
const start = performance.now();
await agent.run("First?");
await agent.run("Second?");
console.log(performance.now() - start > 90 ? "the second call has waited" : "nobody has waited");
