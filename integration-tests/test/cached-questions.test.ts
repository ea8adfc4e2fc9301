import { createOpenAI } from "@ai-sdk/openai";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import * as adapted from "@suite/ai-sdk";
import * as langchainAdapted from "@suite/langchain";
import { cache } from "@suite/resilience";
import { type ModelServer, startModelServer } from "@suite/testkit";
import * as ai from "ai";
import * as langchain from "langchain";
import { z } from "zod";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  for (let each = 0; each < 4; each++) server.script({ text: '{"said":"onion"}' });
});
const known = () => [cache({ tenant: "everyone" })] as const;

it("differ for a cache by a provider's own options, in the AI SDK", async () => {
  const { generateText } = adapted.withPlugins(ai, known());
  const model = createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` })("m");
  const asked: number[] = [];
  for (const user of ["ada", "bob", "ada"]) {
    await generateText({ model, prompt: "go", providerOptions: { openai: { user } } });
    asked.push(server.requests.length);
  }
  const output = ai.Output.object({ schema: z.object({ said: z.string() }) });
  await generateText({ model, prompt: "go", output, providerOptions: { openai: { user: "ada" } } });
  expect([...asked, server.requests.length]).toEqual([1, 2, 2, 3]);
});

it("are none for a cache where the provider keeps the history, in the AI SDK", async () => {
  const { generateText } = adapted.withPlugins(ai, known());
  const model = createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` }).responses("m");
  const providerOptions = { openai: { previousResponseId: "resp_1" } };
  for (const _ of [1, 2]) await generateText({ model, prompt: "go", providerOptions });
  expect(server.requests).toHaveLength(2);
});

it("differ for a cache by what a model of LangChain sends, and not by how it answers", async () => {
  const { createAgent: create } = langchainAdapted.withPlugins(langchain, known());
  const asked: number[] = [];
  for (const [user, streaming] of [
    ["ada", false],
    ["bob", false],
    ["ada", true],
  ] as const) {
    const configuration = { baseURL: `${server.url}/v1` };
    const model = new ChatOpenAI({ model: "m", apiKey: "none", configuration, user, streaming });
    await create({ model }).invoke({ messages: [{ role: "user", content: "go" }] });
    asked.push(server.requests.length);
  }
  expect(asked).toEqual([1, 2, 2]);
});

it("are known again by a cache with a schema of any library, in @suite/agent", async () => {
  const model = openai("m", { apiKey: "none", baseURL: `${server.url}/v1` });
  const outputSchema = z.object({ said: z.string() });
  const agent = createAgent({ name: "a", model, plugins: known(), outputSchema });
  for (const _ of [1, 2]) expect((await agent.run("go")).status).toBe("completed");
  expect(server.requests).toHaveLength(1);
});
