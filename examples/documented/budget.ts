/** Tokens that a reply may use, after which the model is told to come to an end, as `ReplyBudgetControlMiddleware` of AgentScope. */
import { createAgent, defineTool } from "@suite/agent";
import { replyBudget } from "@suite/limits";
import { scriptedModel } from "@suite/testkit";

// At 1000 tokens, one of output as dear as two of input, the model is to answer, and may call no tools.
const plugins = [replyBudget({ tokenBudget: 1000, outputTokenWeight: 2 })];

const usage = { inputTokens: 400, outputTokens: 300 };
const again = { toolCalls: [{ name: "search", arguments: {} }], usage };
const model = scriptedModel(again, ({ toolChoice }) => (toolChoice === "none" ? "That is what I know." : again));
const tools = [defineTool({ name: "search", execute: () => "more" })];
const result = await createAgent({ name: "researcher", model, tools, plugins }).run("All about tea?");
if (result.status === "completed") console.log(result.text, `${result.rounds} rounds`);
