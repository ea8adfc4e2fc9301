import { describe, expect, it } from "@jest/globals";
import { openai, openaiResponses } from "@suite/agent/openai";
import { type Message, message, type Part, type Reply, text, toolCall, toolCallResponse } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import OpenAI from "openai";
import { answer, callsOf, idle, overOpenAI, sent, server } from "./models.js";

const { asking, generate, stream, sentFor } = callsOf("gpt-test", (options) =>
  openaiResponses("gpt-test", { apiKey: "none", baseURL: `${server.url}/v1`, ...options }),
);

const events = (...all: readonly { readonly type: string }[]): string =>
  all.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join("");
const responseOf = (...output: readonly object[]) => ({ id: "resp_1", model: "gpt", status: "completed", output });
/** A response whole, and as a stream that tells each item only at its end. */
const both = async (...output: readonly object[]): Promise<readonly Reply[]> => {
  const response = responseOf(...output);
  const done = output.map((item, output_index) => ({ type: "response.output_item.done", output_index, item }));
  const streamed = await stream(
    asking(),
    overOpenAI(events(...done, { type: "response.completed", response } as never)),
  );
  return [await generate(asking(), overOpenAI(response)), assembleReply(streamed)];
};

describe("openaiResponses, an answer", () => {
  it("streams each part under a place of its own, ends it once after its last piece, the finish last and once", async () => {
    server.script({ ...answer, chunks: 8 });
    const places = (await stream()).map((delta) => ("at" in delta ? `${delta.type} ${delta.at}` : delta.type));
    expect([...new Set(places)]).toEqual([
      "part r0",
      "part_end r0",
      "part t1.0",
      "part_end t1.0",
      "part c2",
      "arguments c2",
      "part c3",
      "arguments c3",
      "finish",
    ]);
    expect(places.filter((place) => place === "finish" || place.startsWith("part_end"))).toHaveLength(3);
  });

  it("keeps encrypted reasoning as its signature, paragraphs of its summary, and the phase of a text", async () => {
    const reasoning = {
      type: "reasoning",
      id: "rs_1",
      summary: ["First.", "Then."].map((said) => ({ type: "summary_text", text: said })),
      encrypted_content: "sealed",
    };
    const content = [{ type: "output_text", text: "I look.", annotations: [] }];
    const comment = { type: "message", id: "msg_1", role: "assistant", phase: "commentary", content };
    for (const read of await both(reasoning, comment)) {
      expect(read.message.parts).toEqual([
        { type: "reasoning", content: "First.\n\nThen.", signature: "sealed", native: { type: "reasoning" } },
        { type: "text", content: "I look.", native: { phase: "commentary" } },
      ]);
    }
  });

  it("contains calls of the provider's tools, and items that the neutral model lacks, unchanged", async () => {
    const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } };
    const program = { type: "program_output", id: "po_1" };
    for (const read of await both(search, program)) {
      expect(read.message.parts).toEqual([
        { type: "server_tool_call", id: "ws_1", name: "web_search_call", serverToolCall: search },
        { type: "native", value: program },
      ]);
      expect(read.finishReason).toBe("stop");
    }
  });

  it("that refuses is text, and was filtered", async () => {
    const refusal = { type: "message", content: [{ type: "refusal", refusal: "I cannot." }] };
    for (const read of await both(refusal)) {
      expect(read).toMatchObject({ message: { parts: [text("I cannot.")] }, finishReason: "content_filter" });
    }
  });

  it.each(["length", "content_filter"])("that is not complete says %s", async (finishReason) => {
    server.script({ text: "So", finishReason }, { text: "So", finishReason });
    expect((await generate()).finishReason).toBe(finishReason);
    expect((await stream()).at(-1)).toMatchObject({ type: "finish", finishReason });
  });

  it("of a server that tells items without their beginning, or whole at once, is read all the same", async () => {
    const call = { type: "function_call", call_id: "a", name: "f", arguments: '{"n":1}' };
    const said = { type: "message", content: [{ type: "output_text", text: "Hello." }] };
    for (const read of await both(said, call)) {
      expect(read.message.parts).toEqual([text("Hello."), toolCall("a", "f", { n: 1 })]);
    }
  });
});

describe("openaiResponses, a request", () => {
  it("carries every message in the API's form", async () => {
    const messages = [
      message("system", "Be brief."),
      message("user", [text("See"), text("this")]),
      message("assistant", [
        { type: "reasoning", content: "Not signed." },
        { type: "reasoning", content: "Anthropic's.", signature: "signed" },
        { type: "reasoning", content: "Hm.", signature: "sealed", native: { type: "reasoning" } },
        { type: "native", value: { type: "redacted_thinking", data: "x" } },
        { ...text("I look."), native: { phase: "commentary" } },
        toolCall("a", "f", { n: 1 }),
        toolCall("b", "g", "{broken"),
      ]),
      message("tool", [toolCallResponse("a", { n: 2 }), toolCallResponse("b", "g failed.", { isError: true })]),
      message("assistant", [toolCall("c", "h", undefined)]),
      message("tool", [toolCallResponse("c", undefined)]),
    ];
    expect((await sentFor(messages)).input).toEqual([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "input_text", text: "See" },
          { type: "input_text", text: "this" },
        ],
      },
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "sealed" },
      { role: "assistant", content: "I look.", phase: "commentary" },
      { type: "function_call", call_id: "a", name: "f", arguments: '{"n":1}' },
      { type: "function_call", call_id: "b", name: "g", arguments: "{broken" },
      { type: "function_call_output", call_id: "a", output: '{"n":2}' },
      { type: "function_call_output", call_id: "b", output: "g failed." },
      { type: "function_call", call_id: "c", name: "h", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "" },
    ]);
  });

  it("carries images, documents, and native parts as they are", async () => {
    const native = { type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } };
    const parts: Part[] = [
      { type: "blob", modality: "image", mimeType: "image/png", content: "aGk=" },
      { type: "uri", modality: "image", uri: "https://x.test/i.png" },
      { type: "file", modality: "image", fileId: "file-1" },
      { type: "blob", modality: "document", mimeType: "application/pdf", content: "aGk=" },
      { type: "uri", modality: "document", uri: "https://x.test/d.pdf" },
      { type: "file", modality: "document", fileId: "file-2" },
      { type: "native", value: native },
    ];
    expect((await sentFor([message("user", parts)])).input).toEqual([
      {
        role: "user",
        content: [
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aGk=" },
          { type: "input_image", detail: "auto", image_url: "https://x.test/i.png" },
          { type: "input_image", detail: "auto", file_id: "file-1" },
          { type: "input_file", filename: "document", file_data: "data:application/pdf;base64,aGk=" },
          { type: "input_file", file_url: "https://x.test/d.pdf" },
          { type: "input_file", file_id: "file-2" },
          native,
        ],
      },
    ]);
  });

  it("goes back with what an answer held, so that the next one follows on it", async () => {
    server.script(answer);
    const first = await generate(asking({ settings: { include: ["reasoning.encrypted_content"] } }));
    const items = (await sentFor([message("user", "Hello"), first.message])).input as readonly { type?: string }[];
    expect(items.map(({ type = "message" }) => type)).toEqual([
      "message",
      "reasoning",
      "message",
      "function_call",
      "function_call",
    ]);
  });

  it("takes a history of chat completions, and gives them one", async () => {
    server.script({ text: "Fine." }, { text: "Fine." }, { text: "Fine." });
    const chat = openai("gpt-test", { apiKey: "none", baseURL: `${server.url}/v1` });
    const { message: said } = await generate();
    await chat.generate(asking({ messages: [message("user", "Hello"), said] }), { signal: idle });
    expect(sent().messages).toEqual([
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Fine." },
    ]);
  });

  it("carries tools, choice, settings and output schema, and has nothing kept at the provider", async () => {
    server.script({ text: "{}" });
    const schema = { type: "object", properties: {}, additionalProperties: false };
    const tools = [{ name: "f", description: "Does f.", parameters: schema }, { name: "g" }];
    const settings = { temperature: 0, topP: 0.5, maxTokens: 9, reasoning: { effort: "low" }, model: "another" };
    const own = { text: { verbosity: "low" }, tools: [{ type: "web_search" }] };
    await generate(
      asking({ tools, toolChoice: { name: "f" }, outputSchema: schema, settings: { ...settings, ...own } }),
    );
    expect(sent()).toEqual({
      model: "gpt-test",
      input: [{ role: "user", content: "Hello" }],
      stream: false,
      store: false,
      tools: [
        { type: "function", name: "f", description: "Does f.", parameters: schema, strict: false },
        { type: "function", name: "g", parameters: { type: "object", properties: {} }, strict: false },
        { type: "web_search" },
      ],
      tool_choice: { type: "function", name: "f" },
      text: { verbosity: "low", format: { type: "json_schema", name: "output", schema, strict: true } },
      temperature: 0,
      top_p: 0.5,
      max_output_tokens: 9,
      reasoning: { effort: "low" },
    });
  });

  it.each<[string, readonly Part[], Message["role"]]>([
    ["compaction", [{ type: "compaction", content: "secret" }], "assistant"],
    ["blob", [{ type: "blob", modality: "video", mimeType: "video/mp4", content: "secret" }], "user"],
    ["blob", [{ type: "blob", modality: "image", content: "secret" }], "user"],
    ["tool_call_response", [toolCallResponse("secret", "secret")], "user"],
    ["blob", [{ type: "blob", modality: "image", mimeType: "image/png", content: "secret" }], "system"],
    ["native", [{ type: "native", value: "secret" }], "user"],
    ["tool_call_response", [toolCallResponse("a", { secret: 1n })], "tool"],
  ])(
    "refuses a %s part that the API does not support, and names its position, not its content",
    async (type, parts, role) => {
      const asked = generate(asking({ messages: [message("user", "Hello"), message(role, parts)] }));
      await expect(asked).rejects.toMatchObject({ name: "AgentError", code: "ERR_AGENT_MODEL_REQUEST" });
      await expect(asked).rejects.toThrow(`${type} part`);
      await expect(asked).rejects.toThrow("messages[1].parts[0]");
      await expect(asked).rejects.not.toThrow("secret");
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe("openaiResponses, a call that fails", () => {
  it("rejects with the SDK's error, which has the provider's code, where the response failed", async () => {
    const failed = { ...responseOf(), status: "failed", error: { code: "rate_limit_exceeded", message: "Too fast." } };
    const error = { name: "Error", code: "rate_limit_exceeded" };
    const streamed = stream(asking(), overOpenAI(events({ type: "response.failed", response: failed } as never)));
    const plain = generate(asking(), overOpenAI(failed));
    for (const each of [streamed, plain]) {
      await expect(each).rejects.toBeInstanceOf(OpenAI.APIError);
      await expect(each).rejects.toThrow("Too fast.");
      await expect(each).rejects.toMatchObject(error);
    }
  });

  it("by a stream that ends before its finish is no success", async () => {
    const cut = { name: "AgentError", code: "ERR_AGENT_MODEL_STREAM_CUT" };
    const piece = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hel" };
    await expect(stream(asking(), overOpenAI(events(piece)))).rejects.toMatchObject(cut);
    await expect(generate(asking(), overOpenAI({ id: "x", status: "completed" }))).rejects.toMatchObject(cut);
  });
});

describe("openaiResponses reports", () => {
  it("an error object in an answer with status 200 with the provider's message and code", async () => {
    const body = { error: { message: "Provider returned error", code: 502 } };
    await expect(generate(asking(), overOpenAI(body))).rejects.toMatchObject({
      status: 502,
      message: "502 Provider returned error",
    });
  });

  it("the code of an error event as its status, if it is one", async () => {
    const error = { type: "error", code: "429", message: "Slow down." };
    await expect(stream(asking(), overOpenAI(events(error)))).rejects.toMatchObject({ status: 429 });
  });
});

describe("openaiResponses, a model", () => {
  it("says its name, provider and server", () => {
    const server = { address: "api.openai.com", port: 443 };
    expect(openaiResponses("m", overOpenAI({}))).toMatchObject({ name: "m", provider: "openai", server });
  });
});
