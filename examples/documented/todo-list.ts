/** A plan that the model writes and is shown again, as `todoListMiddleware` of LangChain and `TaskReminderMiddleware` of AgentScope Java. */
import { createAgent, defineTool } from "@suite/agent";
import { taskReminder, todoList } from "@suite/context";
import { textOf } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

// The model gets a tool for its plan, and sees the plan before each round while a point is open.
const plugins = [todoList(), taskReminder()];

const todos = [
  { content: "Boil water", status: "in_progress" },
  { content: "Pour it", status: "pending" },
];
const plan = { toolCalls: [{ name: "write_todos", arguments: { todos } }] };
const model = scriptedModel(plan, { toolCalls: [{ name: "boil", arguments: {} }] }, "It boils.");
const tools = [defineTool({ name: "boil", execute: () => "it boils" })];
await createAgent({ name: "planner", model, tools, plugins }).run("Make tea.");
console.log(textOf(model.requests[2]?.messages.at(-1) ?? []));
