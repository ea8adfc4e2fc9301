import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { definePlugin, type Plugin } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { text as canaries, found, watched } from "../watched.js";

/** Google's client, as far as it is used here: where the tests' types are checked, it is not installed. */
interface Client {
  readonly models: {
    generateContent(asked: object): Promise<Answer>;
    generateContentStream(asked: object): Promise<AsyncIterable<Answer>>;
    embedContent(asked: object): Promise<object>;
  };
}
interface Answer {
  readonly text?: string;
  readonly functionCalls?: readonly object[];
}

// What the client says of answers with calls.
jest.spyOn(console, "warn").mockImplementation(() => {});

const model = "gemini-3-flash";
const path = "@google/genai";

const chunk = (parts: readonly object[], more: object = {}): object => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  ...{ modelVersion: model, responseId: "r" },
});
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
const call = { functionCall: { name: "look", args: { at: "ada@mail.example" } }, thoughtSignature: "c2ln" };
const answer = { ...chunk([{ text: "Write to ada@mail.example." }, call], { finishReason: "STOP" }), usageMetadata };
const chunks = [
  chunk([{ text: "Let me see.", thought: true }]),
  chunk([{ text: "Write to ada@m" }]),
  chunk([{ text: "ail.example." }, call]),
  { ...chunk([{ text: "" }], { finishReason: "STOP" }), usageMetadata },
];
const events = chunks.map((each) => `data: ${JSON.stringify(each)}\r\n\r\n`);
const failure = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };

/** The server's next answers, and the requests that it was sent. */
let reply: (response: ServerResponse) => void;
const asked: { url: string; body: string }[] = [];
let server: Server;
let open: (fetch?: typeof globalThis.fetch) => Client;

beforeAll(async () => {
  const { GoogleGenAI } = (await import(path)) as { GoogleGenAI: new (options: object) => Client };
  server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    asked.push({ url: request.url ?? "", body });
    reply(response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // By itself it would bring a dispatcher of another undici, which does not work in a test's realm.
  open = (fetch = globalThis.fetch) => new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl, fetch } });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (body: object, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
/** A stream of these pieces, each in a packet of its own; broken off behind them where `broken`. */
const stream =
  (pieces: readonly string[], broken = false) =>
  async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (broken) response.destroy();
    else response.end();
  };

const question = { model, contents: "Hello. Where is ada@mail.example?" };
const tools = [{ functionDeclarations: [{ name: "look", parametersJsonSchema: { type: "object" } }] }];
const config = { tools, temperature: 0, systemInstruction: "Be kind.", maxOutputTokens: 9 };

/** All that a user of the client sees: answers, or their pieces and what the loop over them ends with. */
async function seen(client: Client, streams: boolean, more: object = {}): Promise<unknown> {
  const told: unknown[] = [];
  const ask = { ...question, config: { ...config, ...more } };
  const tell = (answer: Answer) => {
    const { text, functionCalls, ...rest } = answer;
    // What came over the wire, but for the headers of the moment.
    told.push({ text: answer.text, functionCalls: answer.functionCalls, ...rest, sdkHttpResponse: undefined });
  };
  try {
    if (streams) for await (const each of await client.models.generateContentStream(ask)) tell(each);
    else tell(await client.models.generateContent(ask));
  } catch (error) {
    const { name, message, status, cause } = error as Error & { status?: number };
    told.push({ name, message, status, cause: (cause as Partial<Error> | undefined)?.message });
  }
  return told;
}

const observing = definePlugin({ name: "observing", observe() {}, begin() {}, end() {} });
const idle = definePlugin({ name: "idle", model: (_, callNext) => callNext(), systemPrompt: (prompt) => prompt });
const stage = definePlugin({
  name: "stage",
  async model(invocation, callNext) {
    await callNext();
    invocation.pipe({ chunk: (delta, emit) => emit(delta) });
  },
});

describe.each<[string, Plugin]>([
  ["observes", observing],
  ["has an idle layer", idle],
  ["has an idle stage", stage],
])("Google's client with a plugin that %s behaves as alone", (_, plugin) => {
  const torn = events[1]?.slice(0, 40) ?? "";
  it.each<[string, typeof reply, boolean, object?]>([
    ["a whole answer with a call", json(answer), false],
    ["an answer that streams", stream(events), true],
    ["one in pieces of a character", stream([...events.join("")].slice(0, 60).concat(events.join("").slice(60))), true],
    ["one that is cut between two chunks", stream(events.slice(0, 2)), true],
    ["one that is cut within a chunk", stream([events[0] ?? "", torn]), true],
    ["one whose connection breaks", stream([events[0] ?? "", torn], true), true],
    ["one without a chunk", stream([]), true],
    ["one with a chunk that is no JSON", stream([events[0] ?? "", "data: {oops\r\n\r\n"]), true],
    ["one with chunks that are no objects", stream([events[0] ?? "", "data: null\r\n\r\n", "data: [1]\n\n"]), true],
    ["an error in a chunk", stream([events[0] ?? "", `data: ${JSON.stringify(failure)}\r\n\r\n`]), true],
    ["an error that is no event", stream([events[0] ?? "", JSON.stringify(failure)]), true],
    ["a refusal", json(failure, 503), false],
    ["a refusal of a stream", json(failure, 503), true],
    ["a block of the prompt", json({ promptFeedback: { blockReason: "SAFETY" } }), false],
    ["an abort before it is asked", json(answer), false, { abortSignal: AbortSignal.abort() }],
  ])("%s", async (...[, answers, streams, more]) => {
    asked.length = 0;
    reply = answers;
    const bare = await seen(open(), streams, more);
    const wrapped = await seen(open(fetchWithPlugins([plugin]) as typeof globalThis.fetch), streams, more);
    expect(wrapped).toEqual(bare);
    expect(asked[1]).toEqual(asked[0]);
  });
});

describe("with tracing, pii and audit", () => {
  const guarded = () => {
    const watch = watched({
      apply: { output: true, toolArguments: true },
      whereOffered: ["tool", "agent", "humanInput"],
    });
    return { watch, client: open(fetchWithPlugins(watch.plugins) as typeof globalThis.fetch) };
  };

  it.each([false, true])("ten kinds of personal data are found nowhere, streamed: %s", async (streams) => {
    const { watch, client } = guarded();
    const said = [{ text: canaries }, { functionCall: { name: "look", args: { at: canaries } } }];
    const pieces = canaries.match(/.{1,7}/gs) ?? [];
    reply = streams
      ? stream(
          [...pieces.map((each) => chunk([{ text: each }])), chunk([said[1] ?? {}], { finishReason: "STOP" })].map(
            (each) => `data: ${JSON.stringify(each)}\r\n\r\n`,
          ),
        )
      : json(chunk(said, { finishReason: "STOP" }));
    asked.length = 0;
    const contents = [
      { role: "user", parts: [{ text: canaries }] },
      { role: "model", parts: [{ functionCall: { name: "look", args: { at: canaries } } }] },
      { role: "user", parts: [{ functionResponse: { name: "look", response: { output: canaries } } }] },
    ];
    const told: Answer[] = [];
    const ask = { model, contents, config };
    if (streams) for await (const each of await client.models.generateContentStream(ask)) told.push(each);
    else told.push(await client.models.generateContent(ask));
    const { spans, records } = await watch.written();
    for (const place of [told, asked, spans, records]) expect(found(place)).toEqual([]);
    expect(told.map(({ text }) => text ?? "").join("")).toContain("[REDACTED_EMAIL]");
    expect(told.flatMap(({ functionCalls }) => functionCalls ?? [])).toHaveLength(1);
    expect(spans.map(({ name }) => name)).toEqual([`chat ${model}`]);
  });

  it("nor around embeddings", async () => {
    const { watch, client } = guarded();
    asked.length = 0;
    const embeddings = [{ values: [0.5] }, { values: [1] }];
    reply = json({ embeddings });
    const told = await client.models.embedContent({ model: "gemini-embedding-001", contents: ["one", canaries] });
    expect(told).toMatchObject({ embeddings });
    const { spans, records } = await watch.written();
    for (const place of [told, asked, spans, records]) expect(found(place)).toEqual([]);
    expect(asked[0]?.url).toContain(":batchEmbedContents");
    expect(asked[0]?.body).toContain("[REDACTED_EMAIL]");
    expect(spans.map(({ name }) => name)).toEqual(["embeddings gemini-embedding-001"]);
  });
});
