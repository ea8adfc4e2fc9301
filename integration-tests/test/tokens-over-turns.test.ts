import { AsyncLocalStorage } from "node:async_hooks";
import { createOpenAI } from "@ai-sdk/openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import * as aiSdk from "@suite/ai-sdk";
import type { Notification } from "@suite/core";
import type { RunIdentity } from "@suite/core/adapter";
import { withPlugins as withFetch } from "@suite/fetch";
import { withPlugins as withLangChain } from "@suite/langchain";
import { type PiiOptions, pii } from "@suite/pii";
import { type ModelServer, startModelServer } from "@suite/testkit";
import * as ai from "ai";
import * as langchain from "langchain";
import OpenAI from "openai";
import { answers, mail, prompts, questions, repeatsTokens, tokensIn } from "../tokens-over-turns.js";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.script(repeatsTokens);
  faults.length = 0;
});

const faults: Notification[] = [];
const watch = {
  name: "watch",
  observe: (each: Notification) => void (each.type === "fault" && faults.push(each)),
};
/** Plugins as an application has them: one list for all requests. */
const plugins = (options: PiiOptions = {}) => [watch, pii({ email: "tokenize" }, options)];
/** The request that is served: each turn is one, and so a run of its own. */
const request = new AsyncLocalStorage<RunIdentity>();
const run = () => request.getStore();
const ada: RunIdentity = { userId: "ada", sessionId: "chat-1" };

/** Checks what the provider got over all turns, and returns the token. */
function checkedToken(): string {
  const tokens = tokensIn(server);
  expect(tokens).toHaveLength(1);
  const sent = prompts(server);
  expect(sent).toHaveLength(4);
  for (const [index, prompt] of sent.entries()) {
    expect(prompt).not.toContain(mail);
    expect(prompt).not.toContain("TEXT_");
    if (index > 0) expect(prompt.startsWith(sent[index - 1] as string)).toBe(true);
  }
  expect(faults).toEqual([]);
  return tokens[0] as string;
}

const found = { result: "was found" };
const parameters = { type: "object", properties: { q: { type: "string" } } } as const;

describe("tokens over three turns of one conversation", () => {
  it.each([false, true])("stay the same in the AI SDK, and the user reads values (streamed: %p)", async (stream) => {
    const looked: unknown[] = [];
    const look = ai.tool({
      inputSchema: ai.jsonSchema(parameters),
      execute: (input) => looked.push(input) && found,
    });
    const { generateText, streamText } = aiSdk.withPlugins(ai, plugins(), { run });
    const model = createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` }).chat("m");
    let history: ai.UIMessage[] = [];
    const read: string[] = [];
    /** One turn of a chat: the browser keeps the messages, and sends all of them each time. */
    const turn = async (text: string): Promise<string> => {
      history = [...history, { id: `u${history.length}`, role: "user", parts: [{ type: "text", text }] }];
      const messages = await ai.convertToModelMessages(history);
      const given = { model, messages, tools: { look }, stopWhen: ai.stepCountIs(3) };
      if (!stream) {
        const { text: answer, response } = await generateText(given);
        const parts = [{ type: "text" as const, text: answer }];
        expect(JSON.stringify(response.messages.at(-1))).toContain(JSON.stringify(answer).slice(1, -1));
        // Calls of tools are kept as the UI keeps them.
        const said = response.messages.flatMap(
          ({ content }) => (Array.isArray(content) ? [...content] : []) as object[],
        );
        const call = said.find((part) => "type" in part && part.type === "tool-call") as { input: unknown } | undefined;
        const done = call && {
          type: "tool-look" as const,
          toolCallId: "c1",
          state: "output-available" as const,
          input: call.input,
          output: found,
        };
        const all = [...(done ? [done, { type: "step-start" }] : []), ...parts] as ai.UIMessage["parts"];
        history.push({ id: `a${history.length}`, role: "assistant", parts: all });
        return answer;
      }
      const streamed = streamText(given);
      const onFinish = ({ messages: all }: { messages: ai.UIMessage[] }) => {
        history = all;
      };
      const ui = streamed.toUIMessageStream({ originalMessages: history, onFinish });
      let answer = "";
      for await (const chunk of ui) if (chunk.type === "text-delta") answer += chunk.delta;
      return answer;
    };
    for (const text of questions) read.push(await request.run(ada, () => turn(text)));
    const token = checkedToken();
    expect(read).toEqual(answers(token));
    expect(looked).toEqual([{ q: token }]);
    const texts = history.flatMap(({ role, parts }) =>
      role === "assistant" ? parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
    );
    expect(texts).toEqual(answers(token));
  });

  it.each([false, true])("stay the same in a client of openai, over HTTP (streamed: %p)", async (stream) => {
    const client = withFetch(new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0 }), plugins(), {
      run,
    });
    const tools = [{ type: "function" as const, function: { name: "look", parameters } }];
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    const ask = async (): Promise<OpenAI.ChatCompletionMessage> => {
      const given = { model: "m", messages, tools };
      if (!stream) return (await client.chat.completions.create(given)).choices[0]?.message as never;
      return (await client.chat.completions.stream(given).finalChatCompletion()).choices[0]?.message as never;
    };
    const turn = async (content: string): Promise<string> => {
      messages.push({ role: "user", content });
      for (;;) {
        const { role, content: said, tool_calls: calls } = await ask();
        messages.push({ role, content: said, ...(calls && { tool_calls: calls }) });
        const [call] = calls ?? [];
        if (call === undefined) return said ?? "";
        messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(found) });
      }
    };
    const read: string[] = [];
    for (const text of questions) read.push(await request.run(ada, () => turn(text)));
    expect(read).toEqual(answers(checkedToken()));
  });

  it.each(["invoke", "values", "updates", "messages"] as const)(
    "stay the same in LangChain, where the graph keeps the messages: %s",
    async (mode) => {
      const { createAgent, tool } = withLangChain(langchain, plugins(), { run });
      const looked: unknown[] = [];
      const look = tool((input: unknown) => looked.push(input) && found, { name: "look", schema: parameters as never });
      const model = new ChatOpenAI({
        model: "m",
        apiKey: "none",
        maxRetries: 0,
        configuration: { baseURL: `${server.url}/v1` },
      });
      const agent = createAgent({ model, tools: [look], checkpointer: new MemorySaver() });
      const config = { configurable: { thread_id: "chat-1" } };
      const said = (messages: readonly langchain.BaseMessage[]): string[] =>
        messages.filter(({ type, text }) => type === "ai" && text !== "").map(({ text }) => text);
      let shown: string[] = [];
      const turn = async (content: string): Promise<void> => {
        const input = { messages: [{ role: "user", content }] };
        if (mode === "invoke") {
          shown = said((await agent.invoke(input, config)).messages);
          return;
        }
        let streamed = "";
        for await (const chunk of await agent.stream(input, { ...config, streamMode: mode })) {
          const given = chunk as never;
          if (mode === "values") shown = said((given as { messages: langchain.BaseMessage[] }).messages);
          else if (mode === "messages") {
            const [message] = given as [langchain.BaseMessage];
            if (message.type === "ai") streamed += message.text;
          } else {
            for (const update of Object.values(given as Record<string, { messages?: langchain.BaseMessage[] }>)) {
              shown.push(...said(update.messages ?? []));
            }
          }
        }
        if (mode === "messages") shown.push(streamed);
      };
      for (const text of questions) await request.run({ userId: "ada" }, () => turn(text));
      const token = checkedToken();
      expect(shown).toEqual(answers(token));
      expect(looked).toEqual([{ q: token }]);
      const read = async (userId: string): Promise<string[]> => {
        const state = await request.run({ userId }, () => agent.getState(config));
        return said((state as { values: { messages: langchain.BaseMessage[] } }).values.messages);
      };
      expect(await read("ada")).toEqual(answers(token));
      // Another user of the same thread reads tokens.
      const others = await read("bob");
      expect(others).toHaveLength(3);
      expect(others.join()).not.toContain(mail);
    },
  );
});
