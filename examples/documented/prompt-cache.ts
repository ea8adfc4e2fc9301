/** Marks of what the provider is to cache, as the prompt caching of LangChain. */
import { createAgent } from "@suite/agent";
import { dynamicContext, promptCache } from "@suite/context";
import { textOf } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

// Marks behind the system prompt and the history, last in the list, for a provider that takes marks.
const plugins = [dynamicContext(() => "<document>…</document>"), promptCache({ ttl: "1h" })];

const model = { ...scriptedModel("Hello."), provider: "anthropic" };
await createAgent({ name: "reader", model, systemPrompt: "You read.", plugins }).run("What does it say?");
for (const { after, ttl } of model.requests[0]?.cacheMarks ?? []) console.log(ttl, JSON.stringify(textOf(after)));
