import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation, type RuntimeContext } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";
import { propagatorsKey } from "@suite/core/propagation";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import OpenAI, { AzureOpenAI } from "openai";
import { answering, jsonResponse, post, urls, watching } from "./fake.js";
import { rejection } from "./support.js";

const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
afterEach(() => {
  warn.mockClear();
});

const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };
const completion = {
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
};
const openai = (fetch: typeof globalThis.fetch) => new OpenAI({ apiKey: "none", maxRetries: 0, fetch });

/** Counts model calls, and remembers them. */
function counting(name = "counting") {
  const calls: Invocation<"model">[] = [];
  const plugin = definePlugin({
    name,
    async model(invocation: Invocation<"model">, callNext) {
      calls.push(invocation);
      await callNext();
    },
  });
  return { calls, plugin };
}

describe("withPlugins", () => {
  it("returns a client of the same class and type, and leaves the original unchanged", async () => {
    const server = answering(jsonResponse(completion), jsonResponse(completion));
    const { calls, plugin } = counting();
    const client = openai(server);
    const wrapped: OpenAI = withPlugins(client, [plugin]);
    expect(wrapped).toBeInstanceOf(OpenAI);
    await client.chat.completions.create(chat);
    expect(calls).toHaveLength(0);
    await wrapped.chat.completions.create(chat);
    expect(calls).toHaveLength(1);
  });

  it("refuses a plugin that requires a hook which a request has no place for", () => {
    const tool = definePlugin({ name: "t", tool: async (_: Invocation<"tool">, next: () => Promise<void>) => next() });
    // @ts-expect-error tools run in the user's own code
    expect(() => withPlugins(openai(answering()), [tool])).toThrow(
      expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }),
    );
    // @ts-expect-error likewise
    expect(() => fetchWithPlugins([tool])).toThrow(expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" }));
  });

  it("refuses what is no client", () => {
    const no = { baseURL: "", withOptions: () => ({}) };
    for (const plugins of [[], [watching]]) {
      expect(() => withPlugins(no, plugins)).toThrow(expect.objectContaining({ code: "ERR_FETCH_NO_CLIENT" }));
    }
  });

  it("joins: whatever is wrapped again, and however, each plugin runs once", async () => {
    const [first, second] = [counting("first"), counting("second")];
    const server = answering(...[1, 2, 3].map(() => () => jsonResponse(completion)));
    const client = withPlugins(openai(server), [first.plugin]);
    await withPlugins(client, [first.plugin, second.plugin]).chat.completions.create(chat);
    await withPlugins(client.withOptions({ timeout: 9 }), [first.plugin, second.plugin]).chat.completions.create(chat);
    await openai(
      fetchWithPlugins([first.plugin, second.plugin], fetchWithPlugins([first.plugin], server)),
    ).chat.completions.create(chat);
    expect([first.calls.length, second.calls.length]).toEqual([3, 3]);
    expect(first.calls.map(({ runtime }) => runtime)).toEqual(second.calls.map(({ runtime }) => runtime));
  });

  it("tells the layers who is asked, for what, and with which settings", async () => {
    const { calls, plugin } = counting();
    const azure = new AzureOpenAI({
      apiKey: "none",
      apiVersion: "v1",
      endpoint: "https://own.openai.azure.com",
      fetch: answering(jsonResponse(completion)),
    });
    await withPlugins(azure, [plugin]).chat.completions.create({
      ...chat,
      temperature: 0,
      top_p: 0.5,
      max_completion_tokens: 9,
    });
    expect(calls[0]?.request).toMatchObject({
      model: "m",
      provider: "azure.ai.openai",
      server: { address: "own.openai.azure.com", port: 443 },
      settings: { temperature: 0, topP: 0.5, maxTokens: 9 },
      stream: false,
    });
  });
});

describe("which requests are calls of a model", () => {
  it.each([
    ["https://api.openai.com/v1/chat/completions", 1],
    ["https://own.openai.azure.com/openai/deployments/d/chat/completions?api-version=1", 1],
    ["http://localhost:11434/v1/responses/", 1],
    ["https://api.anthropic.com/v1/messages?beta=true", 1],
    ["https://api.openai.com/v1/embeddings", 0],
    ["https://api.openai.com/v1/threads/t/messages", 0],
    ["https://api.anthropic.com/v1/messages/count_tokens", 0],
    ["https://api.openai.com/v1/responses/r/cancel", 0],
  ])("%s: %s", async (url, expected) => {
    const { calls, plugin } = counting();
    const server = answering(jsonResponse(completion));
    await post(fetchWithPlugins([plugin], server), url, { model: "m", input: "x" });
    expect(calls).toHaveLength(expected);
  });

  it("any other request goes as it is: the same arguments, the same response", async () => {
    const response = jsonResponse({});
    const given: unknown[] = [];
    const fetch = fetchWithPlugins([counting().plugin], async (...args) => {
      given.push(...args);
      return response;
    });
    const init = { method: "POST", body: "not JSON" };
    expect(await fetch(`${urls.responses}/r`, init)).toBe(response);
    expect(given).toEqual([`${urls.responses}/r`, init]);
    expect(given[1]).toBe(init);
  });

  it("a request may come as an object of its own", async () => {
    const server = answering(jsonResponse(completion));
    const request = new Request(urls.chat, { method: "POST", body: JSON.stringify(chat), headers: { "x-own": "1" } });
    const response = await fetchWithPlugins([counting().plugin], server)(request);
    expect(await response.json()).toEqual(completion);
    expect([server.asked[0]?.headers.get("x-own"), server.asked[0]?.body]).toEqual(["1", JSON.stringify(chat)]);
  });
});

describe("runs", () => {
  it("a call within a tool of an agent belongs to that agent's run", async () => {
    const { calls, plugin } = counting();
    const outer = new PluginStack().begin({ ambient: ambientStorage() });
    const call = { id: "t", kind: "tool" } as const;
    const client = withPlugins(openai(answering(jsonResponse(completion))), [plugin]);
    await ambientStorage()?.run({ runtime: outer, call }, () => client.chat.completions.create(chat));
    expect(calls[0]?.runtime.parent?.runId).toBe(outer.runId);
  });

  it("an answer is whole only in the bytes it is sent in: headers tell of those no more", async () => {
    const headers = { "content-length": "999", "content-encoding": "identity", "x-request-id": "r" };
    const server = answering(jsonResponse(completion, { headers }));
    const { data, response } = await withPlugins(openai(server), [counting().plugin])
      .chat.completions.create(chat)
      .withResponse();
    expect(data).toHaveProperty("_request_id", "r");
    expect([response.headers.has("content-length"), response.headers.has("content-encoding")]).toEqual([false, false]);
  });
});

describe("what propagators say", () => {
  const saying = definePlugin({
    name: "saying",
    begin: (runtime: RuntimeContext) =>
      void runtime.get(propagatorsKey).push({ inject: () => ({ traceparent: "00-t" }) }),
    model: async (_: Invocation<"model">, next: () => Promise<void>) => next(),
  });

  it("goes to the host that is asked, and nowhere it redirects to", async () => {
    const redirect = new Response(null, { status: 307, headers: { location: "https://other.example" } });
    const server = answering(redirect, jsonResponse(completion));
    await openai(fetchWithPlugins([saying], server)).chat.completions.create(chat);
    expect(server.asked.map(({ headers }) => headers.get("traceparent"))).toEqual(["00-t", null]);
  });
});

it("a client's own errors of arguments stay its own", async () => {
  const client = withPlugins(openai(answering()), [counting().plugin]);
  const error = await rejection(client.chat.completions.create(chat, { timeout: -1 }));
  expect(error.message).toContain("timeout");
});
