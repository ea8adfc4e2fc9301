/** Tools by who asks, and tools that appear while a run goes on, as the dynamic tools of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { override } from "@suite/core";
import { wrapModelCall } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// What a layer takes off the request cannot be called.
const byRole = wrapModelCall((request, handler, { runtime: { userId } }) => {
  const tools = request.tools.filter(({ name }) => name !== "delete" || userId === "admin");
  return handler(override(request, { tools }));
});

const more = defineTool({ name: "export", execute: () => "exported" });
const open = defineTool({ name: "open", execute: (_, runtime) => runtime.tools?.add(more) }); // there from the next round
const tools = [open, defineTool({ name: "delete", execute: () => "deleted" })];
const model = scriptedModel({ toolCalls: [{ name: "open", arguments: {} }] }, "Open.");
await createAgent({ name: "assistant", model, tools, plugins: [byRole] }).run("Open it.", { userId: "ada" });
for (const request of model.requests) console.log(request.tools.map(({ name }) => name).join(", "));
