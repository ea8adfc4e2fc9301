/** A cache: a question that was asked before is answered without the model, as in Ravi. */
import { createAgent } from "@suite/agent";
import { cache } from "@suite/resilience";
import { scriptedModel } from "@suite/testkit";

// The same request of the same user is answered from memory for an hour; `store` shares answers among processes.
const plugins = [cache({ ttl: 3_600_000 })];

const model = scriptedModel("Four.", "Four, as I said.");
const agent = createAgent({ name: "assistant", model, plugins });
for (const userId of ["ada", "ada", "bob"]) {
  const result = await agent.run("What is two and two?", { userId });
  if (result.status === "completed") console.log(userId, result.text);
}
