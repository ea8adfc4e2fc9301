/** State of a plugin that lasts over a run, and that the caller sets and reads, as `state_schema` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { resultKey, stateKey, Values } from "@suite/core";
import { beforeModel } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// Typed keys: the caller gives `maximum`, the result has `calls`, and both survive a suspension where they can be saved.
const maximum = stateKey("maximum", () => 10);
const calls = resultKey<number>("calls");
const end = { jumpTo: "end", reply: "That is enough." } as const;
const counter = beforeModel(
  ({ runtime }) => {
    runtime.set(calls, (runtime.get(calls) ?? 0) + 1);
    return (runtime.get(calls) ?? 0) > runtime.get(maximum) ? end : undefined;
  },
  { canJumpTo: ["end"] },
);

const model = scriptedModel(() => ({ toolCalls: [{ name: "search", arguments: {} }] }));
const tools = [defineTool({ name: "search", execute: () => "more" })];
const agent = createAgent({ name: "assistant", model, tools, plugins: [counter] });
const result = await agent.run("Tea?", { values: new Values().set(maximum, 2) });
if (result.status === "completed") console.log(result.text, `At round ${result.values.get(calls)}.`);
