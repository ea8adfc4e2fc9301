import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { contentLimit, dynamicContext, historyLimit } from "@suite/context";
import { withPlugins } from "@suite/fetch";
import { type ModelServer, startModelServer } from "@suite/testkit";
import OpenAI from "openai";

describe("context in the providers' own clients", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  const sent = (): unknown => server.requests.at(-1)?.body;
  const plugins = [
    dynamicContext(() => "It is Monday."),
    contentLimit({ partCharacters: 100 }),
    historyLimit({ messages: 3 }),
  ];

  it("a request of OpenAI's client has what it may have, whole", async () => {
    server.script(() => ({ text: "done" }));
    const client = withPlugins(new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none" }), plugins);
    const call = (id: string) => ({
      role: "assistant" as const,
      tool_calls: [{ id, type: "function" as const, function: { name: "look", arguments: "{}" } }],
    });
    const result = (id: string) => ({ role: "tool" as const, tool_call_id: id, content: `${id}${"x".repeat(300)}` });
    const messages = [
      { role: "system" as const, content: "Be brief." },
      { role: "user" as const, content: "the question" },
      ...["a", "b"].flatMap((id) => [call(id), result(id)]),
    ];
    const answer = await client.chat.completions.create({ model: "m", messages });
    expect(answer.choices[0]?.message.content).toBe("done");
    const { messages: told } = sent() as { messages: { role: string; content: string; tool_call_id?: string }[] };
    expect(told.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(told[0]?.content).toContain("It is Monday.");
    expect(told[3]).toMatchObject({ tool_call_id: "b" });
    expect(told[3]?.content.length).toBeLessThanOrEqual(100);
  });

  it("and so has one of Anthropic's", async () => {
    server.script(() => ({ text: "done" }));
    const client = withPlugins(new Anthropic({ baseURL: server.url, apiKey: "none" }), plugins);
    const call = (id: string) => ({
      role: "assistant" as const,
      content: [{ type: "tool_use" as const, id, name: "look", input: {} }],
    });
    const result = (id: string) => ({
      role: "user" as const,
      content: [{ type: "tool_result" as const, tool_use_id: id, content: `${id}${"x".repeat(300)}` }],
    });
    const messages = [
      { role: "user" as const, content: "the question" },
      ...["a", "b"].flatMap((id) => [call(id), result(id)]),
    ];
    await client.messages.create({ model: "m", max_tokens: 10, messages });
    const text = JSON.stringify(sent());
    expect(text).toContain("the question");
    expect(text).toContain("It is Monday.");
    expect(text).toContain('"tool_use_id":"b"');
    expect(text).not.toContain('"tool_use_id":"a"');
    expect(text).not.toContain('"id":"a"');
    expect(text).toContain("left out here");
  });
});
