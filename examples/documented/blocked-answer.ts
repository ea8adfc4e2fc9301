/** An answer that is replaced before the user sees it, as the agent jumps of LangChain. */
import { createAgent } from "@suite/agent";
import { textOf } from "@suite/core";
import { afterModel } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// A hook that says that it may change the reply gets it whole, so nothing of it has streamed out.
const end = { jumpTo: "end", reply: "I cannot respond to that request." } as const;
const block = afterModel(({ message }) => (textOf(message).includes("BLOCKED") ? end : undefined), {
  canJumpTo: ["end"],
});

const agent = createAgent({ name: "assistant", model: scriptedModel("Here you are: BLOCKED"), plugins: [block] });
for await (const text of agent.stream("Hello!").text()) console.log(text);
