/** A tool that brings its own approval, and a person who is there, as `approval_required` of AG2. */
import { createAgent, defineTool } from "@suite/agent";
import { approvalRequired } from "@suite/approval";
import { scriptedModel } from "@suite/testkit";

// The tool has its guard wherever it is used.
const plugins = [approvalRequired()];
const deleteAccount = defineTool({ name: "delete_account", plugins, execute: () => "deleted" });

const onHumanInput = (question: string) => {
  console.log(question);
  return false; // a person at a terminal: (await readline.question(question)) === "y"
};

const call = { name: "delete_account", arguments: { id: "abc-123" } };
const model = scriptedModel({ toolCalls: [call] }, ({ messages }) => JSON.stringify(messages.at(-1)?.parts));
const result = await createAgent({ name: "admin", model, tools: [deleteAccount], onHumanInput }).run("Delete abc-123.");
if (result.status === "completed") console.log(result.text);
