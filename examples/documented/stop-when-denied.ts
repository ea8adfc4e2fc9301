/** A run that ends when a person refuses all its tool calls, as `StopOnAllDeniedMiddleware` of AgentScope Java. */
import { type AnsweredRound, createAgent, defineTool } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";

const remove = defineTool({ name: "remove", needsApproval: true, execute: () => "removed" });
const model = scriptedModel({ text: "I remove it.", toolCalls: [{ name: "remove", arguments: {} }] }, "never asked");

// A round whose calls are answered ends the run where each of the responses is an error, as a refusal is.
const stopWhen = ({ responses }: AnsweredRound) => responses.every(({ isError }) => isError === true);

const agent = createAgent({ name: "guarded", model, tools: [remove], onHumanInput: () => false, stopWhen });
const result = await agent.run("Remove it.");
if (result.status === "completed") console.log(result.text, result.finishReason);
