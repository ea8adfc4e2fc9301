/** Values of one call that hooks and tools read and write, as `RuntimeContext` of AgentScope Java and the context of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { stateKey, Values } from "@suite/core";
import { beforeAgent } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// One runtime for the whole run: who calls, and typed values, which hooks write and tools read.
const requestId = stateKey("request.id", () => "none");
const traceId = stateKey("trace.id", () => "none");
const context = beforeAgent(({ runtime }) => {
  console.log(runtime.userId, runtime.sessionId, runtime.get(requestId));
  runtime.set(traceId, "t-1");
});

const look = defineTool({ name: "look", execute: (_, runtime) => console.log("in the tool:", runtime.get(traceId)) });
const model = scriptedModel({ toolCalls: [{ name: "look", arguments: {} }] }, "Seen.");
const agent = createAgent({ name: "assistant", model, tools: [look], plugins: [context] });
await agent.run("Look.", { userId: "ada", sessionId: "monday", values: new Values().set(requestId, "r-17") });
