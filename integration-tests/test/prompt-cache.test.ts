import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { historyLimit, promptCache } from "@suite/context";
import { type ModelServer, startModelServer } from "@suite/testkit";
import * as ai from "ai";
import { ending, scripted, textResult } from "../../packages/adapters/ai-sdk/test/support.js";
import { agentSubject, anthropicAt } from "../../packages/agent/test/subject.js";

const tools = [
  { name: "look", description: "looks", parameters: { type: "object", properties: {} }, execute: () => "found" },
];

describe("promptCache", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it.each([false, true])("in @suite/agent is Anthropic's own marks, four at most (streamed: %p)", async (stream) => {
    const subject = agentSubject(() => server, anthropicAt);
    const look = (id: string) => ({ toolCalls: [{ id, name: "look", arguments: {} }] });
    const seen = await subject.run({
      plugins: [historyLimit({ messages: 100 }), promptCache({ ttl: "1h" })],
      answers: [look("a"), look("b"), { text: "done" }],
      input: "the question",
      systemPrompt: "Be brief.",
      tools,
      stream,
    });
    expect(seen.error).toBeUndefined();
    const control = { type: "ephemeral", ttl: "1h" };
    const [, , last] = seen.prompts.map((prompt) => JSON.parse(prompt));
    expect(last.system).toEqual([{ type: "text", text: "Be brief.", cache_control: control }]);
    const marked = last.messages.map(({ content }: { content: { cache_control?: unknown }[] }) =>
      content.map((block) => block.cache_control),
    );
    expect(marked).toEqual([[undefined], [undefined], [control], [undefined], [control]]);
  });

  it("in the AI SDK is provider options, and everything else of a message stays as it was", async () => {
    const call = { type: "tool-call" as const, toolCallId: "c", toolName: "look", input: "{}" };
    const answers = [{ ...textResult(""), content: [call], ...ending("tool-calls") }, textResult("Done.")];
    const { model, asked } = scripted(answers, "claude-sonnet-5");
    const history: ai.ModelMessage[] = [
      {
        role: "user",
        content: [{ type: "text", text: "?" }],
        providerOptions: { anthropic: { own: 1 }, other: { x: 1 } },
      },
    ];
    const given = {
      model,
      system: "Be brief.",
      messages: history,
      tools: { look: ai.tool({ inputSchema: ai.jsonSchema({ type: "object" }), execute: () => "seen" }) },
      stopWhen: ai.stepCountIs(3),
    };
    await withPlugins(ai, [promptCache()]).generateText(given as never);
    const options = asked[1]?.prompt.map(({ role, providerOptions }) => [role, providerOptions]);
    const mark = { cacheControl: { type: "ephemeral" } };
    expect(options).toEqual([
      ["system", { anthropic: mark }],
      ["user", { anthropic: { own: 1, ...mark }, other: { x: 1 } }],
      ["assistant", undefined],
      ["tool", { anthropic: mark }],
    ]);
    expect(history[0]?.providerOptions).toEqual({ anthropic: { own: 1 }, other: { x: 1 } });
  });
});
