/** Middleware of an agent and of one call, and the order of them, as in AG2. */
import { createAgent } from "@suite/agent";
import { definePlugin } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

const named = (name: string) =>
  definePlugin({
    name,
    async agent(invocation, callNext) {
      console.log(`enter ${name}`);
      await callNext();
      invocation.pipe({ settle: () => console.log(`exit ${name}`) });
    },
  });

// A and B are round every run of the agent, C round this one, inside of them.
const agent = createAgent({ name: "assistant", model: scriptedModel("Hello."), plugins: [named("A"), named("B")] });
await agent.run("Hello", { plugins: [named("C")] });
