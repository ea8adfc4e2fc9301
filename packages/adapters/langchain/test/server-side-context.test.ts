import { describe, expect, it } from "@jest/globals";
import { definePlugin } from "@suite/core";
import { pii } from "@suite/pii";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";
import { asks } from "./support.js";

/** Layers that read everything and change nothing. */
const plugins = [
  definePlugin({ name: "idle", model: (_, callNext) => callNext() }),
  pii({ email: "redact" }, { apply: { input: true, output: true, toolResults: true } }),
];

/** An answer as LangChain's client of Anthropic has it: a compaction, a found tool, applied edits, cached tokens. */
const content = [
  { type: "compaction", content: "They said hello.", index: 0 },
  { type: "server_tool_use", id: "s", name: "tool_search_tool_regex", input: { pattern: "rate" }, index: 1 },
  {
    type: "tool_search_tool_result",
    tool_use_id: "s",
    content: {
      type: "tool_search_tool_search_result",
      tool_references: [{ type: "tool_reference", tool_name: "rate" }],
    },
    index: 2,
  },
  { type: "text", text: "Hello!", index: 3 },
];
const answer = {
  content,
  usage_metadata: { input_tokens: 9, output_tokens: 2, total_tokens: 11, input_token_details: { cache_read: 7 } },
  response_metadata: {
    model_provider: "anthropic",
    context_management: { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 2 }] },
  },
};

/** An answer as LangChain's client of Gemini has it: code that Gemini ran, pages that it read, cached tokens. */
const ofGoogle = {
  content: [
    { type: "executableCode", executableCode: { language: "PYTHON", code: "print(1)" } },
    { type: "codeExecutionResult", codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
    { type: "text", text: "It is 1." },
  ],
  additional_kwargs: { originalTextContentBlock: { thoughtSignature: "sig" } },
  usage_metadata: answer.usage_metadata,
  response_metadata: {
    model_provider: "google",
    urlContextMetadata: { urlMetadata: [{ retrievedUrl: "https://example.com" }] },
    groundingMetadata: { webSearchQueries: ["example"] },
  },
};

type Answer = ConstructorParameters<typeof ScriptedModel>[0][number][number];

describe("context management of the provider", () => {
  const run = async (createAgent: typeof langchain.createAgent, given: Answer = answer) => {
    const model = new ScriptedModel([[given], [given]]);
    const agent = createAgent({ model });
    const { messages } = await agent.invoke(asks("Hi"));
    await agent.invoke({ messages: [...messages, { role: "user", content: "And now?" }] });
    const fields = (each: langchain.BaseMessage) => {
      const { content, response_metadata, additional_kwargs } = each;
      return { content, response_metadata, additional_kwargs, usage: Reflect.get(each, "usage_metadata") };
    };
    return { answered: messages.slice(1).map(fields), sent: model.asked[1]?.map(fields) };
  };

  it("passes plugins unchanged in an agent: compactions, found tools, applied edits, cached tokens", async () => {
    const bare = await run(langchain.createAgent);
    expect(await run(withPlugins(langchain, plugins).createAgent)).toEqual(bare);
    expect(bare.answered[0]?.content).toEqual(content);
    expect(bare.sent?.[1]?.content).toEqual(content);
  });

  it("passes plugins unchanged in an agent: code that Gemini ran, pages that it read, cached tokens", async () => {
    const bare = await run(langchain.createAgent, ofGoogle);
    expect(await run(withPlugins(langchain, plugins).createAgent, ofGoogle)).toEqual(bare);
    expect(bare.answered[0]?.content).toEqual(ofGoogle.content);
    expect(bare.answered[0]?.response_metadata).toMatchObject(ofGoogle.response_metadata);
    expect(bare.sent?.[1]?.content).toEqual(ofGoogle.content);
  });
});
