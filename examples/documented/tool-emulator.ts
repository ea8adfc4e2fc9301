/** Tools that a model plays, for tests of an agent, as `toolEmulatorMiddleware` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";
import { toolEmulator } from "@suite/tools";

// Of the tools one is played; without `tools` all are, and without `client` the agent's own model plays them.
const plugins = [toolEmulator({ tools: ["get_weather"], client: scriptedModel("Rain, 8 degrees.") })];

const getWeather = defineTool({ name: "get_weather", execute: () => console.log("never called") });
const model = scriptedModel({ toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }] }, "Take an umbrella.");
const { messages } = await createAgent({ name: "assistant", model, tools: [getWeather], plugins }).run("Oslo?");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
