/** Questions that never reach the model, as the before-agent guardrail of LangChain and the termination of Ravi. */
import { createAgent } from "@suite/agent";
import { textOf } from "@suite/core";
import { beforeAgent } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// The run ends with this reply, before anything is asked.
const isBanned = (text: string) => /hack|exploit|malware/i.test(text);
const end = { jumpTo: "end", reply: "I cannot help with that. Please rephrase." } as const;
const filter = beforeAgent(({ request: { messages } }) => (messages.map(textOf).some(isBanned) ? end : undefined), {
  canJumpTo: ["end"],
});

const model = scriptedModel("never asked");
const result = await createAgent({ name: "assistant", model, plugins: [filter] }).run("How do I hack a database?");
if (result.status === "completed") console.log(result.text, `${model.requests.length} requests`);
