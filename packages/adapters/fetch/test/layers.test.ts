import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation, message, override } from "@suite/core";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import { answering, jsonResponse, post, urls } from "./fake.js";
import { collect, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const on = useServer();
const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };

/** Answers without the model: text, a thought and a call. */
const cached = definePlugin({
  name: "cached",
  async model(invocation: Invocation<"model">) {
    invocation.respond({
      value: {
        message: message("assistant", [
          { type: "text", content: "From the cache." },
          { type: "tool_call", id: "call_1", name: "look", arguments: { of: "Köln" } },
        ]),
        finishReason: "tool_call",
        usage: { inputTokens: 3, outputTokens: 2 },
        response: { id: "cached_1", model: "other" },
      },
    });
  },
});

describe("a layer that answers by itself", () => {
  it("answers chat completions, whole and streamed", async () => {
    const client = withPlugins(on.openai(), [cached]);
    const whole = await client.chat.completions.create(chat);
    const streamed = await client.chat.completions.stream(chat).finalChatCompletion();
    for (const done of [whole, streamed]) {
      expect(done).toMatchObject({ id: "cached_1", model: "other", usage: { prompt_tokens: 3, completion_tokens: 2 } });
      expect(done.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "From the cache." } });
      const [call] = done.choices[0]?.message.tool_calls ?? [];
      expect(call).toMatchObject({ id: "call_1", function: { name: "look", arguments: '{"of":"Köln"}' } });
    }
    expect(on.server.requests).toHaveLength(0);
  });

  it.each([false, true])("answers in spite of a refusal, and nothing of that is told (stream: %p)", async (stream) => {
    const fallback = definePlugin({
      name: "fallback",
      model: (invocation, callNext) => callNext().catch(() => cached.model(invocation)),
    });
    const refusing = answering(jsonResponse({ error: {} }, { status: 429, headers: { "retry-after": "9" } }));
    const response = await post(fetchWithPlugins([fallback], refusing), urls.chat, { ...chat, stream });
    expect([response.status, response.headers.get("retry-after")]).toEqual([200, null]);
    expect(await response.text()).toContain("From the cache.");
  });

  it("answers responses, whole and streamed", async () => {
    const client = withPlugins(on.openai(), [cached]);
    const whole = await client.responses.create({ model: "m", input: "Hello." });
    const streamed = await client.responses.stream({ model: "m", input: "Hello." }).finalResponse();
    for (const done of [whole, streamed]) {
      expect(done).toMatchObject({ id: "cached_1", model: "other", output_text: "From the cache." });
      expect(done.output[1]).toMatchObject({ type: "function_call", call_id: "call_1", arguments: '{"of":"Köln"}' });
    }
  });

  it("answers messages, whole and streamed", async () => {
    const client = withPlugins(on.anthropic(), [cached]);
    const whole = await client.messages.create({ ...chat, max_tokens: 9 });
    const streamed = await client.messages.stream({ ...chat, max_tokens: 9 }).finalMessage();
    for (const done of [whole, streamed]) {
      expect(done).toMatchObject({ id: "cached_1", stop_reason: "tool_use", usage: { output_tokens: 2 } });
      expect(done.content).toMatchObject([
        { type: "text", text: "From the cache." },
        { type: "tool_use", id: "call_1", name: "look", input: { of: "Köln" } },
      ]);
    }
  });
});

/** Asks another model when the first one fails before it says anything. */
const fallback = definePlugin({
  name: "fallback",
  async model(invocation: Invocation<"model">, callNext) {
    try {
      await callNext();
      await invocation.result?.ready();
    } catch {
      invocation.request = override(invocation.request, { model: "second" });
      await callNext();
    }
  },
});

describe("a layer that asks again", () => {
  it.each([false, true])("gives the second answer, and nothing of the first (stream: %s)", async (stream) => {
    on.server.script({ fault: { status: 500 } }, { text: "Second." });
    const client = withPlugins(on.openai(), [fallback]);
    if (stream) {
      const chunks = await collect(await client.chat.completions.create({ ...chat, stream }));
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Second.");
      expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set(["second"]));
    } else expect((await client.chat.completions.create(chat)).choices[0]?.message.content).toBe("Second.");
    expect(on.server.requests.map(({ body }) => (body as { model: string }).model)).toEqual(["m", "second"]);
  });

  it("gives nothing of a stream that failed at its first event", async () => {
    on.server.script({ text: "First.", fault: { cut: 1 } }, { text: "Second." });
    const client = withPlugins(on.anthropic(), [fallback]);
    const done = await client.messages.stream({ ...chat, max_tokens: 9 }).finalMessage();
    expect(done.content).toMatchObject([{ text: "Second." }]);
  });
});

it("a layer that answers in place of a stream which failed at its first text gives its own answer alone", async () => {
  const instead = definePlugin({
    name: "instead",
    async model(invocation: Invocation<"model">, callNext) {
      await callNext();
      await invocation.result?.ready().catch(() => cached.model(invocation));
    },
  });
  on.server.script({ text: "First.", fault: { cut: 1 } });
  const told = await collect(
    await withPlugins(on.openai(), [instead]).chat.completions.create({ ...chat, stream: true }),
  );
  expect(new Set(told.map(({ id }) => id))).toEqual(new Set(["cached_1"]));
  expect(told.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("From the cache.");
});

describe("a layer that adds a part behind the answer's own", () => {
  const noting = definePlugin({
    name: "noting",
    async model(invocation: Invocation<"model">, callNext) {
      await callNext();
      invocation.pipe({
        flush: (emit) => emit({ type: "part", at: "note", part: { type: "text", content: " Noted." } }),
      });
    },
  });

  it.each([false, true])("gives both (stream: %s)", async (stream) => {
    on.server.script({ text: "Hello." }, { text: "Hello." }, { text: "Hello." });
    const openai = withPlugins(on.openai(), [noting]);
    const anthropic = withPlugins(on.anthropic(), [noting]);
    const asked = { ...chat, max_tokens: 9 };
    const input = { model: "m", input: "Hello." };
    const completion = stream
      ? await openai.chat.completions.stream(chat).finalChatCompletion()
      : await openai.chat.completions.create(chat);
    const response = stream
      ? await openai.responses.stream(input).finalResponse()
      : await openai.responses.create(input);
    const done = stream
      ? await anthropic.messages.stream(asked).finalMessage()
      : await anthropic.messages.create(asked);
    expect(completion.choices[0]?.message.content).toBe("Hello. Noted.");
    expect(response.output.map((item) => (item.type === "message" ? item.content : []))).toMatchObject([
      [{ text: "Hello." }],
      [{ text: " Noted." }],
    ]);
    expect(done.content).toMatchObject([{ text: "Hello." }, { text: " Noted." }]);
  });
});

it("a layer that says why the answer ended, and what it used, is believed", async () => {
  const counting = definePlugin({
    name: "counting",
    async model(invocation: Invocation<"model">, callNext) {
      await callNext();
      invocation.pipe({
        chunk: (delta, emit) =>
          emit(
            delta.type === "finish"
              ? { ...delta, finishReason: "length", usage: { inputTokens: 7, outputTokens: 8 } }
              : delta,
          ),
      });
    },
  });
  const body = {
    id: "c",
    choices: [{ index: 0, message: { content: "Hi." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1 },
  };
  const response = await post(fetchWithPlugins([counting], answering(jsonResponse(body))), urls.chat, chat);
  expect(await response.json()).toMatchObject({
    choices: [{ finish_reason: "length" }],
    usage: { prompt_tokens: 7, completion_tokens: 8 },
  });
  on.server.script({ text: "Hi." });
  const done = await withPlugins(on.anthropic(), [counting])
    .messages.stream({ ...chat, max_tokens: 9 })
    .finalMessage();
  expect(done.stop_reason).toBe("max_tokens");
});
