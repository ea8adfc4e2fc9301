/** A system prompt made for each model call, as the dynamic prompts of AgentScope, AgentScope Java and LangChain. */
import { createAgent } from "@suite/agent";
import { dynamicContext } from "@suite/context";
import { textOf } from "@suite/core";
import { dynamicPrompt } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// The first changes the prompt by who asks, the second adds what is true just now.
const tone = dynamicPrompt((prompt, { userId }) => `${prompt} ${userId === "ada" ? "Be technical." : "Be simple."}`);
const now = dynamicContext(() => `Year: ${new Date().getFullYear()}`, { heading: "## Current context" });

const model = scriptedModel("Hello.");
const agent = createAgent({ name: "assistant", model, systemPrompt: "You help.", plugins: [tone, now] });
await agent.run("What is a monad?", { userId: "ada" });
console.log(textOf(model.requests[0]?.messages[0] ?? []));
