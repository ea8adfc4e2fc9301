import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation, MiddlewareTermination } from "@suite/core";
import { FetchError, fetchWithPlugins, withPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";
import OpenAI from "openai";
import { answering, jsonResponse, post, sse, urls, watching } from "./fake.js";
import { collect, rejection, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const on = useServer();
const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };
const message = { ...chat, max_tokens: 10 };

/** Remembers how each call ended, and what was thrown. */
function witness() {
  const seen: unknown[] = [];
  const plugin = definePlugin({
    name: "witness",
    async model(invocation: Invocation<"model">, callNext) {
      try {
        await callNext();
      } catch (error) {
        seen.push(error);
        throw error;
      }
      invocation.pipe({ settle: (end) => void seen.push("error" in end ? end.error : end.status) });
    },
  });
  return { seen, plugin };
}

const guard = () => ({
  ...pii({ email: "redact" }, { apply: { errors: true } }),
  whereOffered: ["tool", "embedding", "agent"] as const,
});

describe("a server that refuses", () => {
  it("gives the client its own typed error, and the layers the status and the body", async () => {
    on.server.script({ fault: { status: 400, message: "No such model." } });
    const { seen, plugin } = witness();
    const error = await rejection(withPlugins(on.openai(), [plugin]).chat.completions.create(chat));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error.message).toBe("400 No such model.");
    expect(seen).toEqual([expect.objectContaining({ code: "ERR_FETCH_REFUSED", status: 400 })]);
    expect((seen[0] as FetchError).body).toMatchObject({ error: { message: "No such model." } });
  });

  it("is asked again by the client, and each time is a call of its own", async () => {
    on.server.script({ fault: { status: 503, retryAfter: 0.01 } }, { text: "Hello." });
    const { seen, plugin } = witness();
    const done = await withPlugins(on.anthropic(1), [plugin]).messages.create(message);
    expect(done.content).toMatchObject([{ text: "Hello." }]);
    expect(seen).toEqual([expect.objectContaining({ status: 503 }), "completed"]);
  });

  it("names nobody in the error whose body a guard has redacted", async () => {
    on.server.script({ fault: { status: 429, message: "Ask ada@mail.example for more." } });
    const error = await rejection(withPlugins(on.openai(), [guard()]).chat.completions.create(chat));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error.message).toBe("429 Ask [REDACTED_EMAIL] for more.");
  });

  it.each([
    ["chat completions", () => withPlugins(on.openai(), [guard()]).chat.completions.create({ ...chat, stream: true })],
    ["responses", () => withPlugins(on.openai(), [guard()]).responses.create({ model: "m", input: "x", stream: true })],
    ["messages", () => withPlugins(on.anthropic(), [guard()]).messages.create({ ...message, stream: true })],
  ])("in mid-stream of %s does as it does without plugins, redacted", async (_, ask) => {
    on.server.script({
      chunks: ["One. ", "Two."],
      fault: { error: { textPieces: 1 }, message: "Ask ada@mail.example." },
    });
    const told: unknown[] = [];
    const reading = (async () => {
      for await (const event of (await ask()) as AsyncIterable<unknown>) told.push(event);
    })();
    const error = await reading.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const all = JSON.stringify([told, error, String(error)]);
    expect(all).toContain("One. ");
    expect(all).toContain("[REDACTED_EMAIL]");
    expect(all).not.toContain("ada@mail.example");
    if (error !== undefined)
      expect([OpenAI.APIError, Anthropic.APIError].some((type) => error instanceof type)).toBe(true);
  });

  it("at the first event of a stream, seen by a layer that waits for it, is the client's own error", async () => {
    const waiting = definePlugin({
      name: "waiting",
      async model(invocation: Invocation<"model">, callNext) {
        await callNext();
        await invocation.result?.ready();
      },
    });
    on.server.script({ text: "Never.", fault: { error: 0, message: "Overloaded." } });
    const stream = await withPlugins(on.anthropic(), [waiting]).messages.create({ ...message, stream: true });
    expect(await rejection(collect(stream))).toBeInstanceOf(Anthropic.APIError);
  });

  it("in mid-stream is a failure for the layers", async () => {
    on.server.script({ chunks: ["One. ", "Two."], fault: { error: { textPieces: 1 } } });
    const { seen, plugin } = witness();
    const stream = await withPlugins(on.openai(), [plugin]).chat.completions.create({ ...chat, stream: true });
    await rejection(collect(stream));
    expect(seen).toEqual([expect.objectContaining({ code: "ERR_FETCH_REFUSED" })]);
  });
});

describe("what goes wrong on the way", () => {
  it("an error of the connection is the one that fetch threw", async () => {
    const broken = new TypeError("fetch failed");
    const client = new OpenAI({
      apiKey: "none",
      maxRetries: 0,
      fetch: fetchWithPlugins([watching], answering(broken)),
    });
    const error = await rejection(client.chat.completions.create(chat));
    expect(error).toBeInstanceOf(OpenAI.APIConnectionError);
    expect(error.cause).toBe(broken);
  });

  it.each([false, true])("what a layer throws reaches the user as it is, and once (stream: %s)", async (stream) => {
    const error = new MiddlewareTermination("The budget is spent.");
    let asked = 0;
    const spent = definePlugin({
      name: "spent",
      async model() {
        asked++;
        throw error;
      },
    });
    const openai = withPlugins(on.openai(3), [spent]);
    const anthropic = withPlugins(on.anthropic(3), [spent]);
    const read = async (answer: unknown) => (stream ? collect(answer as AsyncIterable<unknown>) : answer);
    expect(await rejection(openai.chat.completions.create({ ...chat, stream }).then(read))).toBe(error);
    expect(await rejection(openai.responses.create({ model: "m", input: "x", stream }).then(read))).toBe(error);
    expect(await rejection(anthropic.messages.create({ ...message, stream }).then(read))).toBe(error);
    expect(asked).toBe(3);
    expect(on.server.requests).toHaveLength(0);
  });

  it("a guard that blocks an answer in mid-stream ends it with its own error", async () => {
    on.server.script({ text: "Hello. Ask ada@mail.example, please.", chunks: 3 });
    const blocking = pii({ email: "block" }, { apply: { output: true } });
    const stream = await withPlugins(on.openai(), [blocking]).chat.completions.create({ ...chat, stream: true });
    expect(await rejection(collect(stream))).toMatchObject({ code: "ERR_PII_BLOCKED" });
  });

  it("an answer that is suspended has no form here: the user is told so", async () => {
    const suspending = definePlugin({
      name: "suspending",
      async model(invocation: Invocation<"model">) {
        invocation.respond({ suspended: [] });
      },
    });
    for (const stream of [false, true]) {
      const response = await post(fetchWithPlugins([suspending], answering()), urls.chat, { ...chat, stream });
      await expect(response.text()).rejects.toMatchObject({ code: "ERR_SUSPENDED" });
    }
  });

  it("a whole answer that breaks off fails as it does without plugins", async () => {
    on.server.script({ text: "A long answer.", fault: { cut: 0.5 } });
    const plain = await rejection(on.openai().chat.completions.create(chat));
    on.server.script({ text: "A long answer.", fault: { cut: 0.5 } });
    const wrapped = await rejection(withPlugins(on.openai(), [watching]).chat.completions.create(chat));
    expect([wrapped.name, wrapped.message]).toEqual([plain.name, plain.message]);
  });
});

it("an error page that is no JSON reaches the client as it is", async () => {
  const page = new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });
  const response = await post(fetchWithPlugins([watching], answering(page)), urls.chat, chat);
  expect([response.status, await response.text()]).toEqual([502, "<h1>Bad gateway</h1>"]);
});

it("a status without a body has none", async () => {
  const response = await post(
    fetchWithPlugins([watching], answering(new Response(null, { status: 304 }))),
    urls.chat,
    chat,
  );
  expect([response.status, response.body]).toEqual([304, null]);
});

it("a failed response of the responses stream says no more than was let through", async () => {
  const failed = { id: "r", status: "failed", error: { code: "x", message: "No." }, output: [] };
  const server = answering(
    sse(
      `event: response.failed\ndata: ${JSON.stringify({ type: "response.failed", sequence_number: 0, response: failed })}\n\n`,
    ),
  );
  const text = await (
    await post(fetchWithPlugins([watching], server), urls.responses, { model: "m", input: "x", stream: true })
  ).text();
  expect(text).toBe(
    `event: response.failed\ndata: ${JSON.stringify({ type: "response.failed", sequence_number: 0, response: failed })}\n\n`,
  );
});

it("errors of this package are known across copies of it", () => {
  const error = new FetchError("ERR_FETCH_NO_CLIENT", "No client.");
  expect(FetchError.is(error)).toBe(true);
  expect(FetchError.is(jsonResponse({}))).toBe(false);
});
