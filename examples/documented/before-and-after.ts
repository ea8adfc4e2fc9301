/** Functions before and after each model call, and a jump to the end, as `before_model` and `after_model` of LangChain. */
import { createAgent } from "@suite/agent";
import { message, textOf } from "@suite/core";
import { afterModel, beforeModel } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// A conversation of more than two messages ends here; each reply is logged, and streams all the same.
const end = { jumpTo: "end", reply: "Conversation limit reached." } as const;
const limit = beforeModel(({ request }) => (request.messages.length > 2 ? end : undefined), { canJumpTo: ["end"] });
const log = afterModel(({ message }) => console.log("model returned:", textOf(message)));

const agent = createAgent({ name: "assistant", model: scriptedModel("One.", "never asked"), plugins: [limit, log] });
const { messages } = await agent.run("First?");
const result = await agent.run([...messages, message("user", "Second?")]);
if (result.status === "completed") console.log(result.text);
