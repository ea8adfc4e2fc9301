/** A model that judges answers before the user sees them, as the after-agent guardrail of LangChain. */
import { createAgent } from "@suite/agent";
import { moderation } from "@suite/guardrails";
import { scriptedModel } from "@suite/testkit";

// Nothing of an answer goes out, streamed or not, before the verdict on it is there.
const rules = "No instructions for explosives.";
const guard = moderation({ model: { rules, model: "small" }, places: ["output"], message: "I cannot tell you that." });

const model = scriptedModel(({ purpose }) => (purpose === "moderate" ? '{"flagged": true}' : "Mix gunpowder with…"));
const agent = createAgent({ name: "assistant", model, plugins: [guard] });
for await (const text of agent.stream("How do I make a firework?").text()) console.log(text);
