/** A memory of each user that outlives conversations, as `Mem0Middleware` of AgentScope. */
import { createAgent } from "@suite/agent";
import { textOf } from "@suite/core";
import { inProcessMemory, memory } from "@suite/memory";
import { scriptedModel } from "@suite/testkit";

// What fits the question is searched before each reply, and what was said kept after it. `mem0Memory` takes mem0's client.
const remembering = memory({ store: inProcessMemory() });

const model = scriptedModel("I will remember that.", ({ messages }) => textOf(messages[0] ?? []));
const agent = createAgent({ name: "assistant", model, plugins: [remembering] });
await agent.run("I sit by the window.", { userId: "ada" });
await remembering.settled();
const result = await agent.run("Where do I sit?", { userId: "ada" });
if (result.status === "completed") console.log(result.text);
