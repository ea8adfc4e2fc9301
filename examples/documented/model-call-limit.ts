/** A bound of model calls, of one run and of a conversation, as `modelCallLimitMiddleware` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { modelCallLimit } from "@suite/limits";
import { scriptedModel } from "@suite/testkit";

// The run ends with a message in place of its third model call; "error" would throw.
const plugins = [modelCallLimit({ runLimit: 2, threadLimit: 10, exitBehavior: "end" })];

const model = scriptedModel(() => ({ toolCalls: [{ name: "search", arguments: {} }] })); // a model that never ends
const tools = [defineTool({ name: "search", execute: () => "nothing" })];
const result = await createAgent({ name: "assistant", model, tools, plugins }).run("Tea?", { sessionId: "monday" });
if (result.status === "completed") console.log(result.text);
