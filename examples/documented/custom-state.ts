/** State of a plugin that lasts over a run, and that the caller sets and reads, as `state_schema` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { definePlugin, MiddlewareTermination, resultKey, stateKey, Values } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

// Typed keys: the caller gives `maximum`, the result has `calls`, and both survive a suspension where they can be saved.
const maximum = stateKey("maximum", () => 10);
const calls = resultKey<number>("calls");
const counter = definePlugin({
  name: "counter",
  async model({ runtime }, callNext) {
    const count = (runtime.get(calls) ?? 0) + 1;
    if (count > runtime.get(maximum)) throw new MiddlewareTermination("enough", { reply: "That is enough." });
    runtime.set(calls, count);
    await callNext();
  },
});

const model = scriptedModel(() => ({ toolCalls: [{ name: "search", arguments: {} }] }));
const tools = [defineTool({ name: "search", execute: () => "more" })];
const agent = createAgent({ name: "assistant", model, tools, plugins: [counter] });
const result = await agent.run("Tea?", { values: new Values().set(maximum, 2) });
if (result.status === "completed") console.log(result.text, `${result.values.get(calls)} calls`);
