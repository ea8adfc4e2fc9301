import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation, type ModelRequest, message, override } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { redacting } from "@suite/testkit";
import { answering, jsonResponse, post, urls } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const secret = "ada@mail.example";

/** The request that a server is asked, and the one that the layers see. */
async function asked(url: string, body: object, change: (request: ModelRequest) => ModelRequest = (same) => same) {
  const server = answering(jsonResponse({}));
  let seen: ModelRequest | undefined;
  const changing = definePlugin({
    name: "changing",
    async model(invocation: Invocation<"model">, callNext) {
      seen = invocation.request;
      invocation.request = change(invocation.request);
      await callNext();
    },
  });
  await post(fetchWithPlugins([changing], server), url, body);
  return { seen: seen as ModelRequest, sent: JSON.parse(server.asked[0]?.body ?? "null") };
}

async function redacted(url: string, body: object) {
  const server = answering(jsonResponse({}));
  await post(fetchWithPlugins([{ ...redacting(), whereOffered: ["tool", "embedding"] as const }], server), url, body);
  const text = server.asked[0]?.body ?? "";
  expect(text).not.toContain(secret);
  return JSON.parse(text);
}

const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } };

describe("chat completions", () => {
  const body = {
    model: "m",
    messages: [
      { role: "developer", content: `Be kind to ${secret}!` },
      { role: "user", name: "ada", content: [{ type: "text", text: `I am ${secret}!` }, image] },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: `{"of":"${secret}"}` } }],
      },
      { role: "tool", tool_call_id: "c", content: `Found ${secret}!` },
      { role: "assistant", content: "Done.", own_field: 1 },
    ],
    tools: [
      {
        type: "function",
        function: { name: "look", description: "Looks.", parameters: { type: "object" }, strict: true },
      },
    ],
    response_format: { type: "json_schema", json_schema: { name: "out", strict: true, schema: { type: "object" } } },
  };

  it("are read in the neutral words", async () => {
    const { seen } = await asked(urls.chat, body);
    expect(seen.messages.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
      ["system", "text"],
      ["user", "text", "blob"],
      ["assistant", "tool_call"],
      ["tool", "tool_call_response"],
      ["assistant", "text"],
    ]);
    expect(seen.tools).toMatchObject([{ name: "look", description: "Looks.", parameters: { type: "object" } }]);
    expect(seen.outputSchema).toEqual({ type: "object" });
  });

  it("are redacted in place: role, name and what was not changed stay", async () => {
    const { messages } = await redacted(urls.chat, body);
    expect(messages).toEqual([
      { role: "developer", content: "Be kind to [EMAIL]!" },
      {
        role: "user",
        name: "ada",
        content: [
          { type: "text", text: "I am [EMAIL]!" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: '{"of":"[EMAIL]"}' } }],
      },
      { role: "tool", tool_call_id: "c", content: "Found [EMAIL]!" },
      { role: "assistant", content: "Done." },
    ]);
  });

  it("one message that changes leaves the others the bytes that they were", async () => {
    const { sent } = await asked(urls.chat, body, (request) =>
      override(request, { messages: [...request.messages.slice(0, 4), message("assistant", "Other.")] }),
    );
    expect(sent).toEqual({
      ...body,
      messages: [...body.messages.slice(0, 4), { role: "assistant", content: "Other." }],
    });
  });

  it("model, settings, tools, choice and schema can be changed", async () => {
    const { sent } = await asked(urls.chat, body, (request) =>
      override(request, {
        model: "n",
        settings: { ...request.settings, temperature: 1, maxTokens: 5 },
        tools: request.tools.map((tool) => ({ ...tool, description: "Sees." })),
        toolChoice: { name: "look" },
        outputSchema: { type: "string" },
      }),
    );
    expect(sent).toMatchObject({
      model: "n",
      temperature: 1,
      max_completion_tokens: 5,
      tools: [{ function: { name: "look", description: "Sees.", strict: true } }],
      tool_choice: { type: "function", function: { name: "look" } },
      response_format: { json_schema: { name: "out", strict: true, schema: { type: "string" } } },
    });
  });
});

describe("messages", () => {
  const cached = { cache_control: { type: "ephemeral" } };
  const body = {
    model: "m",
    max_tokens: 9,
    system: [{ type: "text", text: `Be kind to ${secret}!`, ...cached }],
    messages: [
      { role: "user", content: `I am ${secret}!` },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "I think.", signature: "signed" },
          { type: "tool_use", id: "c", name: "look", input: { of: secret }, ...cached },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: secret }] }] },
    ],
    tools: [{ name: "look", input_schema: { type: "object" }, ...cached }],
  };

  it("are redacted in place, and what is cached stays so", async () => {
    const sent = await redacted(urls.messages, body);
    expect(sent.system).toEqual([{ type: "text", text: "Be kind to [EMAIL]!", ...cached }]);
    expect(sent.messages).toEqual([
      { role: "user", content: "I am [EMAIL]!" },
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input: { of: "[EMAIL]" } }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "[EMAIL]" }] }],
      },
    ]);
    expect(sent.tools).toEqual(body.tools);
  });

  it("signed thinking returns unchanged to the provider if no plugin changed it, next to changed content", async () => {
    const { sent } = await asked(urls.messages, body, (request) =>
      override(request, {
        messages: request.messages.map((one) =>
          one.role === "assistant"
            ? {
                role: one.role,
                parts: one.parts.map((part) => (part.type === "tool_call" ? { ...part, arguments: {} } : part)),
              }
            : one,
        ),
      }),
    );
    expect(sent.messages[1].content).toEqual([
      body.messages[1]?.content[0],
      { type: "tool_use", id: "c", name: "look", input: {}, ...cached },
    ]);
    expect(sent.system).toEqual(body.system);
  });
});

describe("responses", () => {
  const call = { type: "function_call", id: "fc", call_id: "c", name: "look", arguments: `{"of":"${secret}"}` };
  const body = {
    model: "m",
    instructions: `Be kind to ${secret}!`,
    input: [
      { role: "user", content: `I am ${secret}!` },
      { type: "reasoning", id: "rs", summary: [], encrypted_content: "gAAA" },
      call,
      { type: "function_call_output", call_id: "c", output: `Found ${secret}!` },
      { type: "item_reference", id: "x" },
    ],
    text: { format: { type: "json_schema", name: "out", schema: { type: "object" } } },
  };

  it("are redacted in place", async () => {
    const sent = await redacted(urls.responses, body);
    expect(sent.instructions).toBe("Be kind to [EMAIL]!");
    expect(sent.input).toEqual([
      { type: "message", role: "user", content: "I am [EMAIL]!" },
      { ...call, arguments: '{"of":"[EMAIL]"}' },
      { type: "function_call_output", call_id: "c", output: "Found [EMAIL]!" },
      { type: "item_reference", id: "x" },
    ]);
  });

  it("an input that is text stays text", async () => {
    expect(await redacted(urls.responses, { model: "m", input: `I am ${secret}!` })).toEqual({
      model: "m",
      input: "I am [EMAIL]!",
    });
  });

  it("encrypted content returns unchanged to the provider, next to changed content", async () => {
    const { seen, sent } = await asked(urls.responses, body, (request) =>
      override(request, {
        messages: request.messages.map((one) => (one.role === "user" ? message("user", "Other.") : one)),
      }),
    );
    expect(seen.outputSchema).toEqual({ type: "object" });
    expect(sent.input.slice(1)).toEqual(body.input.slice(1));
    expect(sent.instructions).toBe(body.instructions);
  });

  it("a system prompt that plugins make is sent as instructions", async () => {
    const adding = definePlugin({ name: "adding", systemPrompt: (prompt: string) => `${prompt}Be brief.` });
    const server = answering(jsonResponse({}), jsonResponse({}));
    const fetch = fetchWithPlugins([adding], server);
    await post(fetch, urls.responses, { model: "m", input: "Hello." });
    await post(fetch, urls.messages, { model: "m", messages: [{ role: "user", content: "Hello." }] });
    expect(JSON.parse(server.asked[0]?.body ?? "")).toEqual({ model: "m", input: "Hello.", instructions: "Be brief." });
    expect(JSON.parse(server.asked[1]?.body ?? "").system).toBe("Be brief.");
  });
});

describe("the settings of a request", () => {
  it.each([
    [urls.chat, { messages: [{ role: "user", content: "Hello." }] }],
    [urls.messages, { system: "Be kind.", messages: [{ role: "user", content: "Hello." }] }],
    [urls.responses, { instructions: "Be kind.", input: "Hello." }],
    [urls.chat.replace("/chat", ""), { prompt: "Hello." }],
  ])("contain nothing of its messages at %s", async (url, body) => {
    const { seen } = await asked(url, { model: "m", ...body, own: 1 });
    expect(seen.settings).toEqual({ own: 1 });
    expect(seen.messages.at(-1)).toEqual({ role: "user", parts: [{ type: "text", content: "Hello." }] });
  });
});

describe("a part that a layer changes", () => {
  const rewrite = (request: ModelRequest) =>
    override(request, {
      messages: request.messages.map((one) => ({
        ...one,
        parts: one.parts.map((part) =>
          part.type === "text"
            ? { type: part.type, content: "Other." }
            : "arguments" in part
              ? { ...part, arguments: { of: "other" } }
              : part,
        ),
      })),
    });

  it("keeps its form and the fields that hold no text", async () => {
    const call = { type: "tool_use", id: "c", name: "look", input: {}, caller: { type: "direct" } };
    const cached = { cache_control: { type: "ephemeral" } };
    const content = [{ type: "text", text: "Hello.", ...cached }, call];
    const { sent } = await asked(urls.messages, { messages: [{ role: "assistant", content }] }, rewrite);
    expect(sent.messages[0].content).toEqual([
      { type: "text", text: "Other.", ...cached },
      { ...call, input: { of: "other" } },
    ]);
  });

  it("stays a refusal, and a call of a custom tool", async () => {
    const called = { id: "c", type: "custom", custom: { name: "look", input: "x" } };
    const refusal = [{ type: "refusal", refusal: "No." }];
    const messages = [
      { role: "assistant", content: refusal },
      { role: "assistant", content: null, tool_calls: [called] },
    ];
    const { sent } = await asked(urls.chat, { messages }, rewrite);
    expect(sent.messages[0].content).toEqual([{ type: "refusal", refusal: "Other." }]);
    expect(sent.messages[1].tool_calls).toEqual([{ ...called, custom: { name: "look", input: '{"of":"other"}' } }]);
  });

  it("leaves calls of an unknown kind next to it where they were", async () => {
    const other = { id: "d", type: "mcp", mcp: { server: "s" } };
    const known = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };
    const messages = [{ role: "assistant", content: "Hello.", tool_calls: [known, other] }];
    const { sent } = await asked(urls.chat, { messages }, (request) =>
      override(request, {
        messages: request.messages.map((one) => ({
          ...one,
          parts: one.parts.map((part) => (part.type === "text" ? { type: part.type, content: "Other." } : part)),
        })),
      }),
    );
    expect(sent.messages).toEqual([{ role: "assistant", content: "Other.", tool_calls: [known, other] }]);
  });
});
