import { expect, it } from "@jest/globals";
import type { BaseMessage } from "@langchain/core/messages";
import { pii } from "@suite/pii";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";
import { asks, collect } from "./support.js";

// The shape of a recorded answer of Anthropic with web search: text, the provider's own call, text, citations, text.
const metadata = { response_metadata: { model_provider: "anthropic" } };
const search = (args: string) => ({
  content: "",
  tool_call_chunks: [{ type: "tool_call_chunk" as const, index: 1, args }],
  ...metadata,
});
const text = (content: string) => ({ content, ...metadata });
const citation = { type: "web_search_result_location", cited_text: "The first nation to do so.", title: "Votes" };
const answer = [
  text("Let me search for"),
  text(" historical events."),
  search('{"que'),
  search('ry":"19"}'),
  text("Here"),
  text("'s one event that occurred on September"),
  text(" 19th: "),
  { content: [{ index: 4, type: "text", citations: [citation] }], ...metadata },
  text("New Zealand made history by becoming the first"),
  text(" to do so."),
];

it("a guard that finds nothing leaves the message around a provider's call and its citations as it came", async () => {
  const said = async (of: typeof langchain) => {
    const agent = of.createAgent({ model: new ScriptedModel([answer]), tools: [] });
    const told = await collect(await agent.stream(asks("Hello."), { streamMode: ["messages", "values"] }));
    const [, state] = told.at(-1) as unknown as ["values", { messages: BaseMessage[] }];
    return state.messages.at(-1)?.content;
  };
  const guard = pii({ email: "redact" }, { apply: { output: true } });
  const bare = await said(langchain);
  expect(bare).toHaveLength(4);
  expect(await said(withPlugins(langchain, [guard]) as typeof langchain)).toEqual(bare);
});
