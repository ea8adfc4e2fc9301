import { describe, expect, it } from "@jest/globals";
import { openai } from "@suite/agent/openai";
import { type Message, message, type Part, text, toolCall, toolCallResponse } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import OpenAI from "openai";
import { answer, callsOf, idle, overOpenAI, sent, server } from "./models.js";

const { model, asking, generate, stream, sentFor, refused } = callsOf("gpt-test", (options) =>
  openai("gpt-test", { apiKey: "none", baseURL: `${server.url}/v1`, ...options }),
);

const events = (...chunks: readonly object[]): string =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
const chunk = (delta: object, finish_reason: string | null = null): object => ({
  id: "chatcmpl-1",
  model: "local",
  choices: [{ index: 0, delta, finish_reason }],
});

describe("openai, an answer", () => {
  it("streams each part under a place of its own, calls ahead of their arguments, the finish last and once", async () => {
    server.script({ ...answer, chunks: 8 });
    const deltas = await stream();
    const places = deltas.map((delta) => ("at" in delta ? `${delta.type} ${delta.at}` : delta.type));
    expect([...new Set(places)]).toEqual([
      "part r0",
      "part_end r0",
      "part t0",
      "part c0",
      "arguments c0",
      "part c1",
      "arguments c1",
      "part_end t0",
      "finish",
    ]);
    expect(places.filter((place) => place === "finish")).toHaveLength(1);
    expect(sent()).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("ends each part once, after its last piece, and begins another where a model thinks again", async () => {
    const deltas = await stream(
      asking(),
      overOpenAI(
        events(
          chunk({ reasoning_content: "one" }),
          chunk({ reasoning_content: " two", content: "so" }),
          chunk({ reasoning_content: "three" }),
          chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] }),
          chunk({ content: " it is" }),
          chunk({}, "tool_calls"),
        ),
      ),
    );
    const places = deltas.map((delta) => ("at" in delta ? `${delta.type} ${delta.at}` : delta.type));
    expect(places).toEqual([
      "part r0",
      "part r0",
      "part_end r0",
      "part t0",
      "part r1",
      "part_end r1",
      "part c0",
      "arguments c0",
      "part t0",
      "part_end t0",
      "finish",
    ]);
  });

  it("keeps arguments that are not JSON as the text that they are", async () => {
    server.script(
      { toolCalls: [{ name: "f", arguments: '{"a":' }] },
      { toolCalls: [{ name: "f", arguments: '{"a":' }] },
    );
    const broken = { type: "tool_call", name: "f", arguments: '{"a":' };
    expect((await generate()).message.parts).toMatchObject([broken]);
    expect(assembleReply(await stream()).message.parts).toMatchObject([broken]);
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content_filter", "content_filter"],
    ["function_call", "tool_call"],
    ["insufficient_system_resource", "insufficient_system_resource"],
  ])("that ends with %s says %s", async (theirs, ours) => {
    server.script({ text: "So", finishReason: theirs }, { text: "So", finishReason: theirs });
    expect((await generate()).finishReason).toBe(ours);
    expect((await stream()).at(-1)).toMatchObject({ type: "finish", finishReason: ours });
  });

  it("that refuses is text, and was filtered", async () => {
    const body = events(
      chunk({ role: "assistant", content: "" }),
      chunk({ refusal: "I can" }),
      chunk({ refusal: "not." }, "stop"),
    );
    const read = assembleReply(await stream(asking(), overOpenAI(body)));
    expect(read).toMatchObject({ message: { parts: [text("I cannot.")] }, finishReason: "content_filter" });
  });

  it("of a server that gives all calls one index, or no id, keeps the calls apart", async () => {
    const call = (name: string, id?: string) => ({ index: 0, id, function: { name, arguments: '{"n":1}' } });
    const same = events(chunk({ tool_calls: [call("f", "a"), call("g", "b")] }), chunk({}, "tool_calls"));
    const args = { n: 1 };
    expect(assembleReply(await stream(asking(), overOpenAI(same))).message.parts).toEqual([
      toolCall("a", "f", args),
      toolCall("b", "g", args),
    ]);
    const nameless = {
      id: "x",
      model: "m",
      choices: [{ message: { tool_calls: [call("f"), { ...call("g"), index: 1 }] } }],
    };
    const ids = (await generate(asking(), overOpenAI(nameless))).message.parts.map((part) => "id" in part && part.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => typeof id === "string" && id !== "")).toBe(true);
  });
});

describe("openai, a request", () => {
  it("carries every message in the API's form", async () => {
    const messages = [
      message("system", "Be brief."),
      { ...message("user", [text("See"), text("this")]), name: "ada" },
      message("assistant", [
        { type: "reasoning", content: "Hm.", signature: "sealed" },
        { type: "native", value: { type: "redacted_thinking", data: "x" } },
        text("I look."),
        toolCall("a", "f", { n: 1 }),
        toolCall("b", "g", "{broken"),
      ]),
      message("tool", [toolCallResponse("a", { n: 2 }), toolCallResponse("b", "g failed.", { isError: true })]),
      message("assistant", [toolCall("c", "h", undefined)]),
      message("tool", [toolCallResponse("c", undefined)]),
    ];
    const f = (id: string, name: string, args: string) => ({
      id,
      type: "function",
      function: { name, arguments: args },
    });
    expect((await sentFor(messages)).messages).toEqual([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        name: "ada",
        content: [
          { type: "text", text: "See" },
          { type: "text", text: "this" },
        ],
      },
      { role: "assistant", content: "I look.", tool_calls: [f("a", "f", '{"n":1}'), f("b", "g", "{broken")] },
      { role: "tool", tool_call_id: "a", content: '{"n":2}' },
      { role: "tool", tool_call_id: "b", content: "g failed." },
      { role: "assistant", content: null, tool_calls: [f("c", "h", "{}")] },
      { role: "tool", tool_call_id: "c", content: "" },
    ]);
  });

  it("carries images, documents, audio, and native parts as they are", async () => {
    const native = { type: "video_url", video_url: { url: "https://x.test/v" } };
    const parts: Part[] = [
      { type: "blob", modality: "image", mimeType: "image/png", content: "aGk=" },
      { type: "uri", modality: "image", uri: "https://x.test/i.png" },
      { type: "blob", modality: "document", mimeType: "application/pdf", content: "aGk=" },
      { type: "file", modality: "document", fileId: "file-1" },
      { type: "blob", modality: "audio", mimeType: "audio/mpeg", content: "aGk=" },
      { type: "native", value: native },
    ];
    expect((await sentFor([message("user", parts)])).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
          { type: "image_url", image_url: { url: "https://x.test/i.png" } },
          { type: "file", file: { file_data: "data:application/pdf;base64,aGk=", filename: "document" } },
          { type: "file", file: { file_id: "file-1" } },
          { type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } },
          native,
        ],
      },
    ]);
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
    const asked = openai("gpt-test", { apiKey: "none", baseURL: `${server.url}/v1` });
    server.script(() => ({ text: "Fine." }));
    await asked.generate(asking({ messages: [watched] }), { signal: idle });
    const [first, after] = [sent(), reads];
    await asked.generate(asking({ messages: [watched] }), { signal: idle });
    expect(sent()).toEqual(first);
    expect(reads).toBe(after);
  });

  it("sends reasoning back where that is asked for", async () => {
    const thought = message("assistant", [{ type: "reasoning", content: "Hm." }, text("Yes.")]);
    expect((await sentFor([thought], { sendReasoning: true })).messages).toMatchObject([{ reasoning_content: "Hm." }]);
  });

  it("carries tools, choice, settings and output schema", async () => {
    server.script({ text: "{}" });
    const schema = { type: "object", properties: {}, additionalProperties: false };
    const tools = [{ name: "f", description: "Does f.", parameters: schema }, { name: "g" }];
    const settings = { temperature: 0, topP: 0.5, maxTokens: 9, stopSequences: ["X"], seed: 1, frequencyPenalty: 0.1 };
    const own = { presencePenalty: 0.2, topK: 3, reasoning_effort: "low", model: "another" };
    await generate(
      asking({ tools, toolChoice: { name: "f" }, outputSchema: schema, settings: { ...settings, ...own } }),
    );
    expect(sent()).toEqual({
      model: "gpt-test",
      messages: [{ role: "user", content: "Hello" }],
      stream: false,
      tools: [
        { type: "function", function: { name: "f", description: "Does f.", parameters: schema } },
        { type: "function", function: { name: "g", parameters: { type: "object", properties: {} } } },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: { type: "json_schema", json_schema: { name: "output", schema, strict: true } },
      temperature: 0,
      top_p: 0.5,
      max_tokens: 9,
      stop: ["X"],
      seed: 1,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      top_k: 3,
      reasoning_effort: "low",
    });
  });

  it.each<[string, readonly Part[], Message["role"]]>([
    ["server_tool_call", [{ type: "server_tool_call", name: "x", serverToolCall: { type: "secret" } }], "assistant"],
    ["compaction", [{ type: "compaction", content: "secret" }], "assistant"],
    ["blob", [{ type: "blob", modality: "video", mimeType: "video/mp4", content: "secret" }], "user"],
    ["blob", [{ type: "blob", modality: "image", content: "secret" }], "user"],
    ["uri", [{ type: "uri", modality: "document", uri: "secret" }], "user"],
    ["file", [{ type: "file", modality: "image", fileId: "secret" }], "user"],
    ["tool_call_response", [toolCallResponse("secret", "secret")], "user"],
    ["text", [text("secret")], "tool"],
    ["native", [{ type: "native", value: "secret" }], "user"],
    ["tool_call_response", [toolCallResponse("a", { secret: 1n })], "tool"],
  ])(
    "refuses a %s part that the API does not support, and names its position, not its content",
    async (type, parts, role) => {
      const error = { name: "AgentError", code: "ERR_AGENT_MODEL_REQUEST" };
      await refused(parts, role).toMatchObject(error);
      await refused(parts, role).toThrow(`${type} part`);
      await refused(parts, role).toThrow("messages[1].parts[0]");
      await refused(parts, role).not.toThrow("secret");
      expect(server.requests).toHaveLength(0);
    },
  );

  it("refuses an output schema that is not JSON Schema", async () => {
    const outputSchema = { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }) } };
    await expect(generate(asking({ outputSchema }))).rejects.toMatchObject({ code: "ERR_AGENT_MODEL_REQUEST" });
  });
});

describe("openai, a call that is cut short", () => {
  it("by a stream that ends before its finish is no success", async () => {
    const cut = { name: "AgentError", code: "ERR_AGENT_MODEL_STREAM_CUT" };
    await expect(stream(asking(), overOpenAI(events(chunk({ content: "Hel" }))))).rejects.toMatchObject(cut);
    await expect(stream(asking(), overOpenAI("data: [DONE]\n\n"))).rejects.toMatchObject(cut);
    await expect(generate(asking(), overOpenAI({ id: "x", choices: [] }))).rejects.toMatchObject(cut);
  });
});

describe("openai, a model", () => {
  it("says its name, provider and server, and asks the model that the request names", async () => {
    expect(model()).toMatchObject({
      name: "gpt-test",
      provider: "openai",
      server: { address: "127.0.0.1", port: server.port },
    });
    const { client } = overOpenAI({});
    expect(openai("m", { client, provider: "groq" })).toMatchObject({
      provider: "groq",
      server: { address: "api.openai.com", port: 443 },
    });
    server.script({ text: "a" });
    expect((await generate(asking({ model: "other" }))).response?.model).toBe("other");
  });

  it("limits tokens at OpenAI under the name that its newer models take", async () => {
    let body = "";
    const client = new OpenAI({
      apiKey: "none",
      fetch: async (_, init) => {
        body = String(init?.body);
        return Response.json({ choices: [{ message: { content: "a" } }] });
      },
    });
    await openai("m", { client }).generate(asking({ settings: { maxTokens: 9 } }), { signal: idle });
    expect(JSON.parse(body)).toMatchObject({ max_completion_tokens: 9 });
  });
});
