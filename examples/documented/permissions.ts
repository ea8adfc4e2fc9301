/** Rules by which tools run, ask a person or are refused, as the permission rules of AgentScope Java. */
import { createAgent, defineTool } from "@suite/agent";
import { humanInTheLoop } from "@suite/approval";
import { toolPolicy } from "@suite/guardrails";
import { scriptedModel } from "@suite/testkit";

// Allowed by name, role and argument, and nothing else; of what is allowed, one asks a person first.
const policy = { version: 1, allow: [{ tools: ["safe_*"] }, { tools: ["delete"], roles: ["admin"] }] } as const;
const plugins = [
  toolPolicy({ policy, role: ({ userId }) => userId }),
  humanInTheLoop({ delete: true }, { ask: () => ({ decision: "approve", by: "ann" }) }),
];

const names = ["safe_read", "delete", "drop_table"];
const tools = names.map((name) => defineTool({ name, execute: () => `${name} has run` }));
const model = scriptedModel({ toolCalls: names.map((name) => ({ name, arguments: {} })) }, "Done.");
const { messages } = await createAgent({ name: "db", model, tools, plugins }).run("Clean up.", { userId: "admin" });
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
