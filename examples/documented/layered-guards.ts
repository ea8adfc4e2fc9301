/** Several guards in layers, the first outermost, as the combined guardrails of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { humanInTheLoop } from "@suite/approval";
import { denyPatterns, moderation } from "@suite/guardrails";
import { pii } from "@suite/pii";
import { scriptedModel } from "@suite/testkit";

// Words, personal data both ways, a person for one tool, and a model that judges what comes out.
const plugins = [
  denyPatterns({ patterns: { attack: /\b(hack|exploit)\b/i }, places: ["input"], message: "I cannot help with that." }),
  pii({ email: "redact" }, { apply: { output: true } }),
  humanInTheLoop({ send_email: true }, { ask: () => ({ decision: "approve", by: "ann" }) }),
  moderation({ moderate: ({ text }) => text.includes("idiot"), places: ["output"], message: "Let us stay polite." }),
];

const send = { toolCalls: [{ name: "send_email", arguments: {} }] };
const model = scriptedModel(send, "I wrote to ada@example.com.", "You idiot.");
const tools = [defineTool({ name: "send_email", execute: () => console.log("sent") })];
const agent = createAgent({ name: "assistant", model, tools, plugins });
for (const question of ["Write to Ada.", "How are you?", "How do I hack a database?"]) {
  const result = await agent.run(question);
  if (result.status === "completed") console.log(result.text);
}
