import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "@jest/globals";
import { createAgent, type Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { type Message, message, type Part, text, toolCall, toolCallResponse } from "@suite/core";
import { assembleReply, explodeReply } from "@suite/core/messages";
import { answer, callsOf, sent, server } from "./models.js";

const { model, asking, generate, stream, sentFor, refused } = callsOf("claude-test", (options) =>
  anthropic("claude-test", { apiKey: "none", baseURL: server.url, ...options }),
);

/** The real client, over answers that the fake server has not. */
const over = (body: object | readonly object[]): { client: Anthropic } => ({
  client: new Anthropic({
    apiKey: "none",
    maxRetries: 0,
    fetch: async () =>
      Array.isArray(body)
        ? new Response(body.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(""), {
            headers: { "content-type": "text/event-stream" },
          })
        : Response.json(body),
  }),
});
const usage = { input_tokens: 1, output_tokens: 1 };
const whole = (content: readonly object[], stop_reason = "end_turn") => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-test",
  content,
  stop_reason,
  usage,
});
const start = { type: "message_start", message: whole([]) };
const ending = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5, input_tokens: null } },
  { type: "message_stop" },
];

describe("anthropic, an answer", () => {
  it("streams each part under a place of its own, calls ahead of their arguments, the finish last and once", async () => {
    server.script({ ...answer, chunks: 8 });
    const places = (await stream()).map((delta) => ("at" in delta ? `${delta.type} ${delta.at}` : delta.type));
    expect([...new Set(places)]).toEqual([
      "part r0",
      "part_end r0",
      "part t1",
      "part_end t1",
      "part c2",
      "arguments c2",
      "part_end c2",
      "part c3",
      "arguments c3",
      "part_end c3",
      "finish",
    ]);
    expect(places.filter((place) => place === "finish")).toHaveLength(1);
  });

  it("keeps arguments that are not JSON as text, and returns them under a descriptive name", async () => {
    server.script({ toolCalls: [{ id: "a", name: "f", arguments: '{"a":' }] });
    const { message: said } = assembleReply(await stream());
    expect(said.parts).toEqual([toolCall("a", "f", '{"a":')]);
    const history = [
      message("user", "Hello"),
      said,
      message("tool", [toolCallResponse("a", "no JSON", { isError: true })]),
    ];
    const { messages } = await sentFor(history);
    expect(messages).toMatchObject([{}, { content: [{ input: { INVALID_JSON: '{"a":' } }] }, {}]);
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool_call"],
    ["refusal", "content_filter"],
    ["pause_turn", "pause_turn"],
  ])("that ends with %s says %s", async (theirs, ours) => {
    expect((await generate(asking(), over(whole([], theirs)))).finishReason).toBe(ours);
    server.script({ text: "So", finishReason: theirs });
    expect((await stream()).at(-1)).toMatchObject({ type: "finish", finishReason: ours });
  });

  const native = { type: "redacted_thinking", data: "sealed" };
  const search = {
    type: "server_tool_use",
    id: "srv_1",
    name: "web_search",
    input: { query: "weather" },
    caller: null,
  };
  const found = { type: "web_search_tool_result", tool_use_id: "srv_1", content: [{ encrypted_content: "x" }] };
  const hidden = { type: "thinking", thinking: "", signature: "sealed" };
  const content = [hidden, native, search, found, { type: "text", text: "Rain." }];
  const parts: Part[] = [
    { type: "reasoning", content: "", signature: "sealed" },
    { type: "native", value: native },
    { type: "server_tool_call", id: "srv_1", name: "web_search", serverToolCall: search },
    { type: "server_tool_call_response", id: "srv_1", serverToolCallResponse: found },
    text("Rain."),
  ];

  it("returns unchanged: signed, redacted and hidden thinking, and calls of the provider's tools", async () => {
    const { message: said } = await generate(asking(), over(whole(content)));
    expect(said.parts).toEqual(parts);
    const { messages } = await sentFor([message("user", "Hello"), said]);
    expect(messages).toEqual([expect.anything(), { role: "assistant", content }]);
  });

  it("leaves reasoning out that another provider encrypted: it would refuse it", async () => {
    const theirs: Part = { type: "reasoning", content: "", signature: "gAAA", native: { type: "reasoning" } };
    const { messages } = await sentFor([message("user", "Hello"), message("assistant", [theirs, text("Rain.")])]);
    expect(messages).toEqual([expect.anything(), { role: "assistant", content: [{ type: "text", text: "Rain." }] }]);
  });

  it("streams hidden thinking and calls of the provider's tools whole, and counts of the start that do not come again", async () => {
    const blocks = content.flatMap((block, index) => [
      {
        type: "content_block_start",
        index,
        content_block: block === search ? { ...search, input: {} } : block,
      },
      ...(block === search
        ? ['{"query":', '"weather"}'].map((partial_json) => ({
            type: "content_block_delta",
            index,
            delta: { type: "input_json_delta", partial_json },
          }))
        : []),
      { type: "content_block_stop", index },
    ]);
    const read = assembleReply(await stream(asking(), over([start, ...blocks, ...ending])));
    expect(read.message.parts).toEqual(parts);
    expect(read.usage).toEqual({ inputTokens: 1, outputTokens: 5 });
  });
});

describe("anthropic, an answer that Anthropic paused", () => {
  const search = { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "tea" } };

  it.each([false, true])("goes on in the next round of the agent (streamed: %s)", async (streaming) => {
    const asked: Anthropic.MessageCreateParams[] = [];
    const answers = [whole([search], "pause_turn"), whole([{ type: "text", text: "Green." }])];
    const fetching: typeof fetch = async (_, init) => {
      asked.push(JSON.parse(String(init?.body)) as Anthropic.MessageCreateParams);
      return Response.json(answers.shift());
    };
    const client = new Anthropic({ apiKey: "none", maxRetries: 0, fetch: fetching });
    const plain = anthropic("claude-test", { client });
    const stream: Model["stream"] = async function* (request, options) {
      yield* explodeReply(await plain.generate(request, options));
    };
    const agent = createAgent({ name: "a", model: { ...plain, stream } });
    const done = await (streaming ? agent.stream("Which tea?").result : agent.run("Which tea?"));
    expect(done).toMatchObject({ text: "Green.", finishReason: "stop", rounds: 2 });
    expect(asked.map(({ messages }) => messages)).toEqual([
      [{ role: "user", content: [{ type: "text", text: "Which tea?" }] }],
      [
        { role: "user", content: [{ type: "text", text: "Which tea?" }] },
        { role: "assistant", content: [search] },
      ],
    ]);
  });

  it("ends the run in its last round", async () => {
    const model = anthropic("claude-test", over(whole([search], "pause_turn")));
    const done = await createAgent({ name: "a", model, maxRounds: 2 }).run("Which tea?");
    expect(done).toMatchObject({ finishReason: "pause_turn", rounds: 2 });
  });
});

describe("anthropic, a request", () => {
  it("allows 8192 tokens by default", async () => {
    expect(await sentFor([message("user", "Hello")])).toMatchObject({ max_tokens: 8192 });
  });

  const use = (id: string) => ({ type: "tool_use", id, name: "f", input: { n: 1 } });

  it("puts system messages beside turns that alternate, and the answers of tools first in theirs", async () => {
    const messages = [
      message("system", "Be brief."),
      message("user", "One"),
      message("assistant", [{ type: "reasoning", content: "unsigned" }]),
      { ...message("user", "Two"), name: "ada" },
      message("assistant", [{ type: "reasoning", content: "unsigned" }, text(""), toolCall("a", "f", { n: 1 })]),
      message("assistant", [toolCall("b", "f", { n: 1 })]),
      message("tool", [toolCallResponse("a", { n: 2 })]),
      message("user", "Three"),
      message("tool", [toolCallResponse("b", "f failed.", { isError: true })]),
      message("system", "Be kind."),
    ];
    expect(await sentFor(messages)).toMatchObject({
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Be kind." },
      ],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "One" },
            { type: "text", text: "Two" },
          ],
        },
        { role: "assistant", content: [use("a"), use("b")] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: '{"n":2}' },
            { type: "tool_result", tool_use_id: "b", content: "f failed.", is_error: true },
            { type: "text", text: "Three" },
          ],
        },
      ],
    });
    expect((await sentFor([message("system", "Be brief."), message("user", "Hello")])).system).toBe("Be brief.");
    expect(await sentFor([message("user", "Hello")])).not.toHaveProperty("system");
  });

  it("sends a history twice as the same, converting each message once", async () => {
    let reads = 0;
    const watched: Message = {
      role: "user",
      get parts() {
        reads++;
        return [text("Hello")];
      },
    };
    const first = await sentFor([watched, message("user", "More")]);
    const after = reads;
    expect(await sentFor([watched, message("user", "More")])).toEqual(first);
    expect(reads).toBe(after);
  });

  it("carries images and documents, and native parts as they are", async () => {
    const native = { type: "search_result", title: "T", source: "s", content: [{ type: "text", text: "x" }] };
    const parts: Part[] = [
      { type: "blob", modality: "image", mimeType: "image/png", content: "aGk=" },
      { type: "uri", modality: "image", uri: "https://x.test/i.png" },
      { type: "file", modality: "image", fileId: "file_1" },
      { type: "blob", modality: "document", mimeType: "application/pdf", content: "aGk=" },
      { type: "uri", modality: "document", uri: "https://x.test/d.pdf" },
      { type: "file", modality: "document", fileId: "file_2" },
      { type: "native", value: native },
    ];
    expect((await sentFor([message("user", parts)])).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
          { type: "image", source: { type: "url", url: "https://x.test/i.png" } },
          { type: "image", source: { type: "file", file_id: "file_1" } },
          { type: "document", source: { type: "base64", media_type: "application/pdf", data: "aGk=" } },
          { type: "document", source: { type: "url", url: "https://x.test/d.pdf" } },
          { type: "document", source: { type: "file", file_id: "file_2" } },
          native,
        ],
      },
    ]);
  });

  it("carries tools, the provider's beside ours, settings and output schema", async () => {
    server.script({ text: "{}" });
    const schema = { type: "object", properties: {}, additionalProperties: false };
    const search = { type: "web_search_20250305", name: "web_search" };
    const settings = {
      temperature: 0,
      topP: 0.5,
      topK: 3,
      maxTokens: 9,
      stopSequences: ["X"],
      cache_control: undefined,
    };
    const own = { thinking: { type: "disabled" }, output_config: { effort: "low" }, tools: [search], model: "another" };
    const tools = [{ name: "f", description: "Does f.", parameters: schema }, { name: "g" }];
    await generate(asking({ tools, toolChoice: "required", outputSchema: schema, settings: { ...settings, ...own } }));
    expect(sent()).toEqual({
      model: "claude-test",
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      stream: false,
      tools: [
        { name: "f", description: "Does f.", input_schema: schema },
        { name: "g", input_schema: { type: "object", properties: {} } },
        search,
      ],
      tool_choice: { type: "any" },
      output_config: { effort: "low", format: { type: "json_schema", schema } },
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      max_tokens: 9,
      stop_sequences: ["X"],
      thinking: { type: "disabled" },
    });
  });

  it.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    [{ name: "f" }, { type: "tool", name: "f" }],
  ] as const)("carries the choice %j", async (toolChoice, theirs) => {
    server.script({ text: "a" });
    await generate(asking({ tools: [{ name: "f" }], toolChoice }));
    expect(sent().tool_choice).toEqual(theirs);
  });

  it.each<[string, readonly Part[], Message["role"]]>([
    ["server_tool_call", [{ type: "server_tool_call", name: "x", serverToolCall: { type: "secret" } }], "assistant"],
    ["compaction", [{ type: "compaction", content: "secret" }], "assistant"],
    ["blob", [{ type: "blob", modality: "audio", mimeType: "audio/wav", content: "secret" }], "user"],
    ["blob", [{ type: "blob", modality: "document", mimeType: "text/secret", content: "secret" }], "user"],
    ["blob", [{ type: "blob", modality: "image", content: "secret" }], "user"],
    ["uri", [{ type: "uri", modality: "video", uri: "secret" }], "user"],
    ["blob", [{ type: "blob", modality: "image", mimeType: "image/png", content: "secret" }], "system"],
    ["native", [{ type: "native", value: "secret" }], "user"],
    ["tool_call_response", [toolCallResponse("a", { secret: 1n })], "tool"],
  ])(
    "refuses a %s part that the API does not support, and names its position, not its content",
    async (type, parts, role) => {
      await refused(parts, role).toMatchObject({ name: "AgentError", code: "ERR_AGENT_MODEL_REQUEST" });
      await refused(parts, role).toThrow(`${type} part`);
      await refused(parts, role).toThrow("messages[1].parts[0]");
      await refused(parts, role).not.toThrow("secret");
      expect(server.requests).toHaveLength(0);
    },
  );

  it.each([{ seed: 1 }, { frequencyPenalty: 1 }, { presencePenalty: 1 }])(
    "refuses the setting %j",
    async (settings) => {
      await expect(generate(asking({ settings }))).rejects.toMatchObject({ code: "ERR_AGENT_MODEL_REQUEST" });
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe("anthropic, a call that fails", () => {
  it("by a stream that ends before its message_stop is no success", async () => {
    const cut = { name: "AgentError", code: "ERR_AGENT_MODEL_STREAM_CUT" };
    await expect(stream(asking(), over([start]))).rejects.toMatchObject(cut);
    await expect(stream(asking(), over([start, ...ending.slice(0, 1)]))).rejects.toMatchObject(cut);
    await expect(stream(asking(), over([]))).rejects.toMatchObject(cut);
    await expect(generate(asking(), over({ id: "x" }))).rejects.toMatchObject(cut);
  });
});

describe("anthropic reports", () => {
  it("an error object in an answer with status 200 as the SDK has those of streams", async () => {
    const body = { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_1" };
    const failed = await generate(asking(), over(body)).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Anthropic.APIError);
    expect(failed).toMatchObject({ type: "overloaded_error", error: { error: { message: "Overloaded" } } });
  });

  it("JSON that ends in its middle as an answer that was cut off", async () => {
    const cut = { code: "ERR_AGENT_MODEL_STREAM_CUT" };
    const answering = (body: string, type: string) => ({
      client: new Anthropic({
        apiKey: "none",
        maxRetries: 0,
        logLevel: "off",
        fetch: async () => new Response(body, { headers: { "content-type": type } }),
      }),
    });
    await expect(generate(asking(), answering('{"id":"x","con', "application/json"))).rejects.toMatchObject(cut);
    const half = `event: message_start\ndata: {"type":"message_st`;
    await expect(stream(asking(), answering(half, "text/event-stream"))).rejects.toMatchObject(cut);
  });
});

describe("anthropic, a model", () => {
  it("says its name, provider and server, and asks the model that the request names", async () => {
    expect(model()).toMatchObject({
      name: "claude-test",
      provider: "anthropic",
      server: { address: "127.0.0.1", port: server.port },
    });
    expect(anthropic("m", over({}))).toMatchObject({ server: { address: "api.anthropic.com", port: 443 } });
    server.script({ text: "a" });
    expect((await generate(asking({ model: "other" }))).response?.model).toBe("other");
  });
});
