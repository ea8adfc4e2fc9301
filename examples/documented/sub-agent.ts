/** An agent that asks another, as the sub-agents of LangChain. */
import { createAgent } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";

// An agent is a tool of another; its run, its tokens and its approvals are part of the caller's.
const researcher = createAgent({ name: "researcher", model: scriptedModel("Tea is a drink.") });
const tools = [researcher.asTool({ description: "Researches a topic." })];

const model = scriptedModel(
  { toolCalls: [{ name: "researcher", arguments: { prompt: "Tea?" } }] },
  "A drink, it seems.",
);
const result = await createAgent({ name: "writer", model, tools }).run("Write about tea.");
if (result.status === "completed") console.log(result.text, `${result.inferenceCalls} model calls`);
