/** A history that is summarised when it grows long, as `summarizationMiddleware` of LangChain. */
import { createAgent } from "@suite/agent";
import { summarization } from "@suite/context";
import { message, textOf } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

const small = scriptedModel("They spoke of tea.");

// Above four messages all but the newest two are summarised, by a model of its own.
const plugins = [summarization({ trigger: { messages: 4 }, keep: { messages: 2 }, client: small })];

const model = scriptedModel("Green tea.");
const agent = createAgent({ name: "assistant", model, plugins });
const earlier = [1, 2].flatMap((at) => [message("user", `Question ${at}?`), message("assistant", `Answer ${at}.`)]);
await agent.run([...earlier, message("user", "Which was it?")]);
console.log(model.requests[0]?.messages.map(textOf).join("\n"));
