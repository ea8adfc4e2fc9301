import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openaiResponses } from "@suite/agent/openai";
import { type Message, type ModelRequest, message, type Tool } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import { collect, idle } from "./models.js";

/** The requests that the server received, and the body that it returns next: JSON, or the events of a stream. */
const requests: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: Record<string, unknown> }[] = [];
let next: object | readonly object[] = {};
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += String(piece);
  requests.push({ headers: request.headers, body: JSON.parse(body) });
  const isStream = Array.isArray(next);
  response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
  if (!Array.isArray(next)) response.end(JSON.stringify(next));
  else for (const event of next) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
});
let baseURL = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const tool = (name: string): Tool => ({ name, description: name });
const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "m",
  messages: [message("user", "Hello")],
  tools: [],
  ...more,
});
const lastRequest = () => requests.at(-1) as (typeof requests)[number];

/** The shapes of a recorded answer: a compaction, one applied edit, and the usage of both iterations. */
const compaction = { type: "compaction", content: "The user said hello." };
const usage = {
  input_tokens: 220,
  output_tokens: 8,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 0,
  iterations: [
    { type: "compaction", input_tokens: 55_196, output_tokens: 125, cache_read_input_tokens: 1 },
    { type: "message", input_tokens: 220, output_tokens: 8, cache_read_input_tokens: 3 },
  ],
};
const context_management = {
  applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 2, cleared_input_tokens: 900 }],
};
const head = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: null };
const answer = {
  ...head,
  content: [compaction, { type: "text", text: "Hello!" }],
  stop_reason: "end_turn",
  usage,
  context_management,
};
const events = [
  { type: "message_start", message: { ...head, content: [], usage: { input_tokens: 220, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "compaction", content: null } },
  { type: "content_block_delta", index: 0, delta: { type: "compaction_delta", content: "The user " } },
  { type: "content_block_delta", index: 0, delta: { type: "compaction_delta", content: "said hello." } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hello!" } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage, context_management },
  { type: "message_stop" },
];

describe("anthropic with context management on the server", () => {
  const model = (options: object = {}): Model => anthropic("m", { apiKey: "none", baseURL, ...options });

  it("passes its settings on, and sends betas as a header", async () => {
    next = answer;
    const settings = {
      betas: ["compact-2026-01-12", "context-management-2025-06-27"],
      context_management: { edits: [{ type: "compact_20260112" }] },
      cache_control: { type: "ephemeral" },
    };
    await model().generate(request({ settings }), { signal: idle });
    const { headers, body } = lastRequest();
    expect(headers["anthropic-beta"]).toBe("compact-2026-01-12,context-management-2025-06-27");
    expect(body).toMatchObject({
      context_management: settings.context_management,
      cache_control: { type: "ephemeral" },
    });
    expect(body).not.toHaveProperty("betas");
  });

  it("refuses betas that are not a list of names", async () => {
    const asked = model().generate(request({ settings: { betas: "compact" } }), { signal: idle });
    await expect(asked).rejects.toMatchObject({ code: "ERR_AGENT_MODEL_REQUEST" });
  });

  it("marks tools that deferLoading selects, next to the provider's search tool", async () => {
    next = answer;
    const search = { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" };
    const deferLoading = ({ name }: Tool) => name === "rare";
    const tools = [tool("rare"), tool("usual")];
    await model({ deferLoading }).generate(request({ tools, settings: { tools: [search] } }), { signal: idle });
    expect(lastRequest().body.tools).toEqual([
      expect.objectContaining({ name: "rare", defer_loading: true }),
      expect.not.objectContaining({ defer_loading: expect.anything() }),
      search,
    ]);
  });

  const replies = {
    whole: () => model().generate(request(), { signal: idle }),
    streamed: async () => assembleReply(await collect(model().stream(request(), { signal: idle }))),
  };
  it.each(Object.entries(replies))("keeps a compaction and sends it back, %s", async (way, ask) => {
    next = way === "whole" ? answer : events;
    const reply = await ask();
    expect(reply.response).toEqual({ id: "msg_1", model: "m", contextEdits: ["clear_tool_uses_20250919"] });
    expect(reply.usage).toMatchObject({ inputTokens: 55_420, outputTokens: 133, cacheReadInputTokens: 4 });
    const history: readonly Message[] = [message("user", "Hello"), reply.message, message("user", "And now?")];
    next = answer;
    await model().generate(request({ messages: history }), { signal: idle });
    expect((lastRequest().body.messages as { content: unknown }[])[1]?.content).toEqual(answer.content);
  });
});

describe("openaiResponses with context management on the server", () => {
  const model = (options: object = {}): Model => openaiResponses("m", { apiKey: "none", baseURL, ...options });
  const item = { id: "cmp_1", type: "compaction", encrypted_content: "gAAAAABp" };
  const text = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Hello!", annotations: [] }],
  };
  const details = { input_tokens_details: { cached_tokens: 7 } };
  const response = {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "m",
    output: [item, text],
    usage: { input_tokens: 10, output_tokens: 2, ...details },
  };

  it("passes its settings on, keeps a compaction and sends it back", async () => {
    next = response;
    const settings = {
      context_management: [{ type: "compaction", compact_threshold: 1000 }],
      prompt_cache_key: "desk",
      tools: [{ type: "tool_search" }],
    };
    const tools = [tool("rare")];
    const asking = model({ deferLoading: () => true }).generate(request({ settings, tools }), { signal: idle });
    const reply = await asking;
    expect(lastRequest().body).toMatchObject({
      context_management: settings.context_management,
      prompt_cache_key: "desk",
      tools: [{ type: "function", name: "rare", defer_loading: true }, { type: "tool_search" }],
    });
    expect(reply.usage).toMatchObject({ cacheReadInputTokens: 7 });
    const history: readonly Message[] = [message("user", "Hello"), reply.message, message("user", "And now?")];
    await model().generate(request({ messages: history }), { signal: idle });
    expect(lastRequest().body.input).toContainEqual(item);
  });
});
