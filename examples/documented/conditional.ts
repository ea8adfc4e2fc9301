/** A guard for some calls alone, as `ConditionalMiddleware` of AG2. */
import { createAgent, defineTool } from "@suite/agent";
import { humanInTheLoop } from "@suite/approval";
import { scriptedModel } from "@suite/testkit";

// A person is asked where a call of this tool pays more than 100; all else runs.
const guard = humanInTheLoop(
  { pay: { when: ({ eur }) => Number(eur) > 100 } },
  { ask: ({ toolName }) => ({ decision: "reject", by: "ann", message: `ann refuses: ${toolName}` }) },
);

const pay = defineTool({ name: "pay", execute: (input) => `paid ${JSON.stringify(input)}` });
const toolCalls = [40, 400].map((eur) => ({ name: "pay", arguments: { eur } }));
const model = scriptedModel({ toolCalls }, "Done.");
const { messages } = await createAgent({ name: "desk", model, tools: [pay], plugins: [guard] }).run("Pay.");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
