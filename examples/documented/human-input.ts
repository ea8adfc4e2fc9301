/** A tool that asks a person, and a plugin round the question, as `context.input` and `on_human_input` of AG2. */
import { createAgent, defineTool } from "@suite/agent";
import { definePlugin } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

const execute = defineTool({
  name: "execute_query",
  async execute(_input, _runtime, _call, steps) {
    const answer = await steps.ask("Are you sure?");
    return answer === "yes" ? "executed" : "cancelled";
  },
});

// The question can be logged, reworded or answered here; else it goes to the person, or the run waits for one.
const automatic = definePlugin({
  name: "automatic",
  async humanInput(invocation) {
    console.log("asked:", invocation.request.question);
    invocation.respond({ value: "yes" });
  },
});

const model = scriptedModel({ toolCalls: [{ name: "execute_query", arguments: {} }] }, "Done.");
const { messages } = await createAgent({ name: "db", model, tools: [execute], plugins: [automatic] }).run("Run it.");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
