import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { redacting } from "@suite/testkit";
import fc from "fast-check";
import OpenAI from "openai";
import { runs } from "../../../../scripts/runs.mjs";
import { EventReader } from "../src/sse/read.js";
import { answering, eventText, post, sse, urls, watching } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const secret = "ada@mail.example";
const pieces = ["Grüß 👋 ", "ada@m", "ail.exa", "mple, ", "please."];

const end = `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
const chat = pieces
  .map((content, index) => ({
    id: "c",
    choices: [{ index: 0, delta: { ...(index === 0 && { role: "assistant" }), content } }],
  }))
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .concat(end)
  .join("");

const messages = eventText(
  { type: "message_start", message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...pieces.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
);

const place = { item_id: "i", output_index: 0, content_index: 0 };
const whole = { type: "output_text", text: pieces.join(""), annotations: [], logprobs: [{ token: secret }] };
const item = { id: "i", type: "message", role: "assistant", status: "completed", content: [whole] };
const responses = eventText(
  { type: "response.created", sequence_number: 0, response: { id: "r", output: [] } },
  { type: "response.output_item.added", sequence_number: 1, output_index: 0, item: { ...item, content: [] } },
  { type: "response.content_part.added", sequence_number: 2, ...place, part: { ...whole, text: "", logprobs: [] } },
  ...pieces.map((delta, index) => ({
    type: "response.output_text.delta",
    sequence_number: 3 + index,
    ...place,
    delta,
    logprobs: [{ token: delta }],
  })),
  { type: "response.output_text.done", sequence_number: 8, ...place, text: pieces.join(""), logprobs: whole.logprobs },
  { type: "response.content_part.done", sequence_number: 9, ...place, part: whole },
  { type: "response.output_item.done", sequence_number: 10, output_index: 0, item },
  { type: "response.completed", sequence_number: 11, response: { id: "r", status: "completed", output: [item] } },
);

const streams = [
  ["chat completions", urls.chat, chat],
  ["messages", urls.messages, messages],
  ["responses", urls.responses, responses],
] as const;

async function through(url: string, ...bytes: readonly Uint8Array[]): Promise<string> {
  const fetch = fetchWithPlugins(
    [{ ...redacting(), whereOffered: ["tool", "embedding"] as const }],
    answering(sse(...bytes)),
  );
  return (await post(fetch, url, { model: "m", stream: true, messages: [], input: [] })).text();
}

/** The text that the pieces of a stream add up to. */
function said(stream: string): string {
  const lines = stream.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const data = lines.split("\n\n").flatMap((event) => {
    const lines = event.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
    return lines[0]?.startsWith("{") ? [JSON.parse(lines.join("\n"))] : [];
  });
  return data
    .map(
      (event) =>
        event.choices?.[0]?.delta?.content ??
        event.delta?.text ??
        (event.type === "response.output_text.delta" ? event.delta : ""),
    )
    .join("");
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const bounds = [0, ...[...places].sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
};

describe.each(streams)("a stream of %s", (_, url, stream) => {
  const bytes = encode(stream);
  const expected = "Grüß 👋 [EMAIL], please.";

  it("says the same wherever its bytes are cut, and nowhere the secret", async () => {
    const places = fc.array(fc.nat(bytes.length), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(places, async (cuts) => {
        const got = await through(url, ...cutAt(bytes, cuts));
        expect(said(got)).toBe(expected);
        expect(got).not.toContain(secret);
      }),
      { numRuns: runs(15) },
    );
  }, 60_000);

  it.each([
    ["with CRLF", stream.replaceAll("\n", "\r\n")],
    ["with CR", stream.replaceAll("\n", "\r")],
    ["with comments and other fields", stream.replaceAll("data: ", ": a comment\nretry: 3\nfoo: bar\ndata: ")],
    ["behind a byte order mark", `\uFEFF${stream}`],
    ["with data in several lines", stream.replaceAll('":', '":\ndata: ')],
  ])("says the same %s, byte by byte", async (_name, other) => {
    const got = await through(url, ...Array.from(encode(other), (byte) => Uint8Array.of(byte)));
    expect(said(got)).toBe(expected);
    expect(got).not.toContain(secret);
  });

  it("that breaks off anywhere tells no more than came", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), async (end) => {
        const got = await through(url, bytes.subarray(0, end)).catch(String);
        expect(got).not.toContain(secret);
      }),
      { numRuns: runs(15) },
    );
  }, 60_000);
});

async function ask(api: string, fetch: ReturnType<typeof fetchWithPlugins>): Promise<void> {
  const options = { apiKey: "none", maxRetries: 0, fetch };
  const said = [{ role: "user", content: "x" }] as const;
  const stream: AsyncIterable<unknown> = await (api === "messages"
    ? new Anthropic(options).messages.create({ model: "m", max_tokens: 9, messages: [...said], stream: true })
    : api === "responses"
      ? new OpenAI(options).responses.create({ model: "m", input: "x", stream: true })
      : new OpenAI(options).chat.completions.create({ model: "m", messages: [...said], stream: true }));
  for await (const _ of stream);
}

describe("hostile bodies", () => {
  const asked = { model: "m", stream: true, messages: [] };

  it("an event longer than what is buffered is refused", async () => {
    const reader = new EventReader(1000);
    const feed = () => {
      for (let times = 0; times < 100; times++) expect(reader.feed("data: aaaaaaaa")).toEqual([]);
    };
    expect(feed).toThrow(expect.objectContaining({ code: "ERR_FETCH_EVENT_TOO_LONG" }));
  });

  it.each(["{broken", "[1]", '"text"', "null"])(
    "an event with %s goes on as a broken one without its content",
    async (data) => {
      const fetch = fetchWithPlugins([watching], answering(sse(`data: ${data}\n\n`)));
      expect(await (await post(fetch, urls.chat, asked)).text()).toBe("data: {\n\n");
    },
  );

  it.each([
    ["chat completions", ""],
    ["responses", ""],
    ["messages", "event: content_block_delta\n"],
  ])("a torn event of %s is the client's own SyntaxError, without its text", async (api, name) => {
    const seen: unknown[] = [];
    const witness = definePlugin({
      name: "witness",
      async model(invocation: Invocation<"model">, callNext) {
        await callNext();
        invocation.pipe({ settle: (end) => void seen.push("error" in end ? end.error : end.status) });
      },
    });
    const logged = jest.spyOn(console, "error").mockImplementation(() => {});
    const error = await ask(
      api,
      fetchWithPlugins([witness], answering(sse(`${name}data: {"text":"${secret}\n\n`))),
    ).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: "SyntaxError" });
    expect(String(error) + JSON.stringify(logged.mock.calls)).not.toContain(secret);
    logged.mockRestore();
    expect(seen).toEqual([expect.objectContaining({ code: "ERR_FETCH_ANSWER_UNREADABLE" })]);
  });

  it.each(["{broken", "[1]", "<html>"])("an answer that is %s is not passed on", async (body) => {
    const fetch = fetchWithPlugins([watching], answering(new Response(body)));
    const response = await post(fetch, urls.chat, { model: "m", messages: [] });
    await expect(response.text()).rejects.toMatchObject({ code: "ERR_FETCH_ANSWER_UNREADABLE" });
  });

  it("a request that is no JSON object is not sent", async () => {
    const server = answering();
    const response = await fetchWithPlugins([watching], server)(urls.chat, { method: "POST", body: "Hello." });
    await expect(response.text()).rejects.toMatchObject({ code: "ERR_FETCH_REQUEST_UNREADABLE" });
    expect(server.asked).toHaveLength(0);
  });

  it("objects of any shape in the places of others break nothing", async () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const field = fc.constantFrom("choices", "content", "output", "message", "usage", "type", "delta", "id");
    const odd = fc.dictionary(field, fc.oneof(json, fc.array(fc.dictionary(field, json))));
    await fc.assert(
      fc.asyncProperty(odd, fc.constantFrom(...Object.values(urls)), async (body, url) => {
        const fetch = fetchWithPlugins(
          [watching],
          answering(new Response(JSON.stringify(body)), sse(eventText({ ...body, type: "message_start" }))),
        );
        expect(JSON.parse(await (await post(fetch, url, { ...body, stream: false })).text())).toEqual(
          JSON.parse(JSON.stringify(body)),
        );
        await (await post(fetch, url, { ...body, stream: true }))
          .text()
          .catch((error) => expect(error.code).toBe("ERR_FETCH_REFUSED"));
      }),
      { numRuns: runs(60) },
    );
  }, 60_000);
});
