/** Personal data that does not reach the model, nor the user, as `piiMiddleware` of LangChain. */
import { createAgent } from "@suite/agent";
import { textOf } from "@suite/core";
import { pii } from "@suite/pii";
import { scriptedModel } from "@suite/testkit";

// Built-in types, and one of one's own; also in the answer, streamed or not.
const guard = pii(
  { email: "redact", credit_card: "mask", ticket: { recognizer: /TCK-\d{6}/, strategy: "hash" } },
  { apply: { output: true } },
);

const model = scriptedModel("I write to bob@example.com.");
const agent = createAgent({ name: "support", model, plugins: [guard] });
const result = await agent.run("Ada here, ada@example.com, card 4111 1111 1111 1111, about TCK-123456.");
console.log(textOf(model.requests[0]?.messages[0] ?? []));
if (result.status === "completed") console.log(result.text);
