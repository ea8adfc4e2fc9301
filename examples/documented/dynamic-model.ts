/** A model by the length of the conversation, as the dynamic model selection of LangChain. */
import { createAgent } from "@suite/agent";
import { message, override } from "@suite/core";
import { wrapModelCall } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

const large = scriptedModel("From the large model.");

// A layer names another model, or gives another client; spans, budgets and the result tell which was asked.
const select = wrapModelCall((request, handler) =>
  handler(request.messages.length > 2 ? override(request, { client: large }) : request),
);

const agent = createAgent({ name: "assistant", model: scriptedModel("From the small model."), plugins: [select] });
const first = await agent.run("Hello?");
const second = await agent.run([...first.messages, message("user", "And now in depth?")]);
for (const result of [first, second]) if (result.status === "completed") console.log(result.text);
