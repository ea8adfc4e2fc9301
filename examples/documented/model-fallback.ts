/** A second model where the first one fails, as the model fallbacks of AgentScope, AgentScope Java and LangChain. */
import { createAgent } from "@suite/agent";
import { modelFallback } from "@suite/resilience";
import { scriptedModel } from "@suite/testkit";

const primary = scriptedModel({ fault: { status: 503 } });
const backup = scriptedModel("The backup answers.");

// Where the agent's own model cannot be had, the next one is asked: a client, or the name of another model.
const plugins = [modelFallback({ models: [backup] })];

const result = await createAgent({ name: "assistant", model: primary, plugins }).run("Hello?");
if (result.status === "completed") console.log(result.text);
