import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin } from "@suite/core";
import { pii } from "@suite/pii";
import * as ai from "ai";
import { ending, scripted } from "./support.js";

/** Layers that read everything and change nothing. */
const plugins = [
  definePlugin({ name: "idle", model: (_, callNext) => callNext() }),
  pii({ email: "redact" }, { apply: { input: true, output: true, toolResults: true } }),
];

/** Options and answers as the provider of Anthropic has them. */
const providerOptions = {
  anthropic: {
    contextManagement: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } }] },
    cacheControl: { type: "ephemeral" },
  },
};
const deferred = { anthropic: { deferLoading: true } };
const compaction = { anthropic: { type: "compaction" } };
const providerMetadata = {
  anthropic: { contextManagement: { appliedEdits: [{ type: "clear_tool_uses_20250919", clearedToolUses: 2 }] } },
};
const usage = {
  inputTokens: { total: 9, noCache: 2, cacheRead: 7, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};

describe("context management of the provider", () => {
  const run = async (generateText: typeof ai.generateText) => {
    const content = [
      { type: "text" as const, text: "They said hello.", providerMetadata: compaction },
      { type: "text" as const, text: "Hello!" },
    ];
    const { model, asked } = scripted([{ content, ...ending(), usage, providerMetadata, warnings: [] }]);
    const tools = {
      rare: ai.tool({
        inputSchema: ai.jsonSchema<object>({ type: "object" }),
        providerOptions: deferred,
        execute: () => 1,
      }),
    };
    const result = await generateText({ model, prompt: "Hi", tools, providerOptions });
    const { messages } = result.response;
    const [first] = asked;
    const seen = { options: first?.providerOptions, tools: first?.tools };
    return { seen, usage: result.usage, metadata: result.providerMetadata, messages };
  };

  it("passes plugins unchanged in generateText: options, deferred tools, compactions, edits, cached tokens", async () => {
    const bare = await run(ai.generateText);
    expect(await run(withPlugins(ai, plugins).generateText)).toEqual(bare);
    expect(bare.seen.options).toEqual(providerOptions);
    expect(bare.seen.tools).toEqual([expect.objectContaining({ providerOptions: deferred })]);
    expect(bare.metadata).toEqual(providerMetadata);
    expect(JSON.stringify(bare.messages)).toContain('"compaction"');
  });
});

/** Options and answers as the provider of Google has them. */
const google = {
  cachedContent: "cachedContents/1",
  thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
  safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH", threshold: "BLOCK_NONE" }],
};
const found = {
  google: {
    urlContextMetadata: { urlMetadata: [{ retrievedUrl: "https://example.com" }] },
    groundingMetadata: { webSearchQueries: ["example"] },
  },
};

it("options for what Gemini does on its servers pass plugins unchanged in generateText, with their results", async () => {
  const run = async (generateText: typeof ai.generateText) => {
    const call = { toolCallId: "c1", toolName: "code_execution", providerExecuted: true } as const;
    const content = [
      {
        type: "reasoning" as const,
        text: "I will calculate.",
        providerMetadata: { google: { thoughtSignature: "sig" } },
      },
      { type: "tool-call" as const, ...call, input: '{"code":"print(1)","language":"PYTHON"}' },
      { type: "tool-result" as const, ...call, result: { outcome: "OUTCOME_OK", output: "1" } },
      { type: "text" as const, text: "It is 1." },
    ];
    const { model, asked } = scripted([{ content, ...ending(), usage, providerMetadata: found, warnings: [] }]);
    const tools = {
      code_execution: { type: "provider" as const, id: "google.code_execution" as const, args: {}, inputSchema },
    };
    const result = await generateText({ model, prompt: "Hi", tools: tools as never, providerOptions: { google } });
    const [first] = asked;
    const seen = { options: first?.providerOptions, tools: first?.tools };
    return { seen, content: result.content, usage: result.usage, metadata: result.providerMetadata };
  };
  const bare = await run(ai.generateText);
  expect(await run(withPlugins(ai, plugins).generateText)).toEqual(bare);
  expect(bare.seen.options).toEqual({ google });
  expect(bare.metadata).toEqual(found);
  expect(JSON.stringify(bare.content)).toContain("OUTCOME_OK");
});

const inputSchema = ai.jsonSchema<object>({ type: "object" });
