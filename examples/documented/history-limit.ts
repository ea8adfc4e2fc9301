/** Bounds of what goes to the model, as `HistoryLimiter` and `TokenLimiter` of AG2 and the truncation of Ravi. */
import { createAgent } from "@suite/agent";
import { contentLimit, historyLimit, tokenLimit } from "@suite/context";
import { message, textOf } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

// The newest messages, within so many tokens, and no text longer than this; calls and their results stay together.
const plugins = [contentLimit({ partCharacters: 40 }), historyLimit({ messages: 3 }), tokenLimit({ tokens: 1000 })];

const model = scriptedModel("Yes.");
const earlier = Array.from({ length: 20 }, (_, at) => message(at % 2 === 0 ? "user" : "assistant", `Message ${at}.`));
const agent = createAgent({ name: "assistant", model, plugins });
await agent.run([...earlier, message("user", `Is this too long? ${"word ".repeat(100)}Is it?`)]);
for (const sent of model.requests[0]?.messages ?? []) console.log(textOf(sent));
