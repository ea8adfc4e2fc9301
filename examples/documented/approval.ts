/** A person who approves, edits or rejects a tool call, with the human in the loop of LangChain and AgentScope. */
import { approve, createAgent, defineTool, type PendingCall, reject } from "@suite/agent";
import { humanInTheLoop } from "@suite/approval";
import { scriptedModel } from "@suite/testkit";

const write = { name: "send_email", arguments: { to: "all@example.com" } };
const model = scriptedModel({ toolCalls: [write, write, write, { name: "read_email", arguments: {} }] }, "Done.");
const tools = [
  defineTool({ name: "send_email", execute: (mail) => console.log("sent", mail) }),
  defineTool({ name: "read_email", execute: () => console.log("read") }),
];

// One tool waits for a person, the others run.
const plugins = [humanInTheLoop({ send_email: { allowedDecisions: ["approve", "edit", "reject"] } })];

const agent = createAgent({ name: "mail", model, tools, plugins });
const waiting = await agent.run("Write to all.");
if (waiting.status !== "suspended") throw new Error("nothing waits");
const { pending } = waiting; // plain JSON: another process can go on from it

// The run goes on when its calls are decided: one as it is, one with another address, one not at all.
const decide = [approve, (call: PendingCall) => approve(call, { arguments: { to: "ann@example.com" } }), reject];
const decisions = pending.calls.flatMap((call, at) => decide[at]?.(call) ?? []);
const result = await agent.run({ pending, decisions });
if (result.status === "completed") console.log(result.text);
