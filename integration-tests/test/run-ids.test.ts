import { createOpenAI } from "@ai-sdk/openai";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as aiSdk from "@suite/ai-sdk";
import type { Plugin } from "@suite/core";
import { fetchWithPlugins, withPlugins as withFetch } from "@suite/fetch";
import { withPlugins as withLangChain } from "@suite/langchain";
import { withPlugins as withMcp } from "@suite/mcp";
import { type ModelServer, startModelServer } from "@suite/testkit";
import * as ai from "ai";
import * as langchain from "langchain";
import OpenAI from "openai";

let server: ModelServer;
const seen: unknown[] = [];
/** A plugin without layers: the adapters call their frameworks directly. */
const watch: Plugin = {
  name: "watch",
  begin: ({ userId, sessionId, tenantId }) => void seen.push([userId, sessionId, tenantId]),
};
const layered: Plugin = { ...watch, tool: (_, callNext) => callNext() };
const ids = { userId: "ada", sessionId: "chat", tenantId: "acme" };
const given = ["ada", "chat", "acme"];
const run = () => ids;

beforeEach(async () => {
  server ??= await startModelServer();
  server.reset();
  server.script({ text: "Hello." }, { text: "Hello." });
  seen.length = 0;
});
afterAll(() => server.close());

const aiModel = () => createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` }).chat("m");
const chatModel = () =>
  new ChatOpenAI({ model: "m", apiKey: "none", maxRetries: 0, configuration: { baseURL: `${server.url}/v1` } });
const openai = (more: object = {}) =>
  new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0, ...more });
const question = { model: "m", messages: [{ role: "user" as const, content: "?" }] };

describe("the option run without any layer", () => {
  it("gives the ids to calls of the AI SDK: whole, streamed, by an agent, and by middlewares", async () => {
    const wrapped = aiSdk.withPlugins(ai, [watch], { run });
    await wrapped.generateText({ model: aiModel(), prompt: "?" });
    await wrapped.streamText({ model: aiModel(), prompt: "?" }).text;
    server.script({ text: "a" }, { text: "b" }, { text: "c" });
    await new wrapped.ToolLoopAgent({ model: aiModel() }).generate({ prompt: "?" });
    await aiSdk.withPlugins(new ai.ToolLoopAgent({ model: aiModel() }), [watch], { run }).generate({ prompt: "?" });
    const middleware = aiSdk.pluginMiddleware([{ ...watch, name: "own" }], { run });
    await ai.generateText({ model: ai.wrapLanguageModel({ model: aiModel(), middleware }), prompt: "?" });
    expect(seen).toEqual([given, given, given, given, given]);
  });

  it("gives the ids to a client of openai, to its copies, and to fetchWithPlugins", async () => {
    const client = withFetch(openai(), [watch], { run });
    await client.chat.completions.create(question);
    await withFetch(client.withOptions({ timeout: 5000 }), [watch]).chat.completions.create(question);
    server.script({ text: "a" });
    await openai({ fetch: fetchWithPlugins([watch], undefined, { run }) }).chat.completions.create(question);
    expect(seen).toEqual([given, given, given]);
  });

  it("gives the ids to agents and middlewares of LangChain; without it the session is the thread", async () => {
    const ask = async (wrapped: typeof langchain, middleware: langchain.AgentMiddleware[] = []) => {
      server.script({ text: "a" });
      const agent = wrapped.createAgent({ model: chatModel(), tools: [], middleware, checkpointer: new MemorySaver() });
      await agent.invoke({ messages: [{ role: "user", content: "?" }] }, { configurable: { thread_id: "thread" } });
    };
    server.reset();
    await ask(withLangChain(langchain, [watch], { run }));
    await ask(withLangChain(langchain, [watch]));
    expect(seen).toEqual([given, [undefined, "thread", undefined]]);
  });

  it("gives the ids to requests of an MCP client, and to those that a server answers", async () => {
    const shop = new McpServer({ name: "shop", version: "1.0.0" });
    shop.registerTool("find", {}, () => ({ content: [{ type: "text", text: "found" }] }));
    const wrapped = withMcp(shop, [{ ...layered, name: "server" }], { run: () => ({ tenantId: "shop" }) });
    const client = withMcp(new Client({ name: "desk", version: "1.0.0" }), [layered], { run });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([wrapped.connect(one), client.connect(other)]);
    await client.callTool({ name: "find" });
    await client.close();
    expect(seen).toEqual([given, [undefined, undefined, "shop"]]);
  });
});

describe("a client of one adapter in a tool of another", () => {
  it("acts for the same user, in the same conversation", async () => {
    server.reset();
    server.script({ toolCalls: [{ name: "ask", arguments: {} }] }, { text: "inner" }, { text: "outer" });
    const client = withFetch(openai(), [watch]);
    const ask = ai.tool({
      inputSchema: ai.jsonSchema({ type: "object" }),
      execute: async () => (await client.chat.completions.create(question)).choices[0]?.message.content,
    });
    const { generateText } = aiSdk.withPlugins(ai, [{ name: "outer", begin() {} } as Plugin], { run });
    await generateText({ model: aiModel(), prompt: "?", tools: { ask }, stopWhen: ai.stepCountIs(3) });
    expect(seen).toEqual([given]);
  });
});
