/** Lines about runs, model calls and tool calls, as `LoggingMiddleware` of AG2. */
import { createAgent, defineTool } from "@suite/agent";
import { consoleLogger, logging } from "@suite/logging";
import { scriptedModel } from "@suite/testkit";

// Any logger that is like pino, without content unless it is asked for; this one writes to standard error by default.
const plugins = [logging({ logger: consoleLogger({ write: console.log }) })];

const model = scriptedModel({ toolCalls: [{ name: "clock", arguments: {} }] }, "Noon.");
const tools = [defineTool({ name: "clock", execute: () => "12:00" })];
await createAgent({ name: "assistant", model, tools, plugins }).run("What time is it?");
