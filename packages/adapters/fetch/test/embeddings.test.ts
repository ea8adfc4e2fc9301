import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin } from "@suite/core";
import type { EmbeddingRequest, EmbeddingResult } from "@suite/core/contract";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { answering, embeddingLayer, jsonResponse, post } from "./fake.js";
import { rejection, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const on = useServer();
const inputs = (): unknown[] => on.server.requests.map(({ body }) => (body as { input: unknown }).input);
const url = "https://model.example/v1/embeddings";

/** A layer that changes the answer. */
const changing = (change: (value: EmbeddingResult) => EmbeddingResult) =>
  definePlugin({
    name: "changing",
    async embedding(invocation, callNext) {
      await callNext();
      invocation.pipe({ chunk: (value, emit) => emit(change(value)) });
    },
  });

const negative = changing((value) => ({
  ...value,
  embeddings: value.embeddings.map((embedding) => (embedding as number[]).map((number) => -number)),
}));

const shout = (request: EmbeddingRequest): EmbeddingRequest => ({
  ...request,
  input: request.input.map((item) => (typeof item === "string" ? item.toUpperCase() : item)),
});

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  const forms = { "a text": text, "a list of texts": [text, "two", `three ${text}`] };
  for (const encoding_format of ["float", "base64", undefined] as const) {
    it.each(Object.entries(forms))(
      `around %s, as ${encoding_format ?? "the client asks by itself"}`,
      async (_, input) => {
        const watch = watched({ whereOffered: ["tool", "agent", "humanInput"] });
        const { embeddings } = withPlugins(on.openai(), watch.plugins);
        const seen = await embeddings.create({ model: "m", input, ...(encoding_format && { encoding_format }) });
        const { spans, records } = await watch.written();
        for (const told of [seen, inputs(), spans, records]) expect(found(told)).toEqual([]);
        expect(JSON.stringify(inputs())).toContain("[REDACTED_EMAIL]");
        expect(seen.data).toHaveLength([input].flat().length);
        expect(spans.map(({ name }) => name)).toEqual(["embeddings m"]);
        expect(spans[0]?.attributes).toMatchObject({
          "gen_ai.response.model": "m",
          "gen_ai.usage.input_tokens": expect.any(Number),
          "server.address": "127.0.0.1",
        });
        expect(records.length).toBeGreaterThan(1);
      },
    );
  }

  it("without pii they are found, so that the search is one", async () => {
    await on.openai().embeddings.create({ model: "m", input: [text] });
    expect(found(inputs())).toHaveLength(10);
  });
});

describe("a layer of embeddings", () => {
  it.each([
    ["a text", "a", ["a"], "A"],
    ["a list of texts", ["a", "b"], ["a", "b"], ["A", "B"]],
    ["a list of one text", ["a"], ["a"], ["A"]],
    ["a list of tokens", [1, 2], [[1, 2]], [1, 2]],
    ["lists of tokens", [[1], [2]], [[1], [2]], [[1], [2]]],
  ])("is given %s as a list, and the server the form that it was", async (_, input, list, sent) => {
    const { plugin, seen } = embeddingLayer(shout);
    const server = answering(jsonResponse({ data: [] }));
    await post(fetchWithPlugins([plugin], server), url, { model: "m", input, dimensions: 4, user: "u" });
    expect(seen).toEqual([
      {
        model: "m",
        provider: "openai",
        server: { address: "model.example", port: 443 },
        input: list,
        dimensions: 4,
      },
    ]);
    expect(JSON.parse(server.asked[0]?.body ?? "")).toEqual({ model: "m", input: sent, dimensions: 4, user: "u" });
  });

  it("is given all that a server takes in place of an input", async () => {
    const server = answering(jsonResponse({ embedding: [1] }));
    const fetch = fetchWithPlugins([pii({ email: "redact" })], server);
    const response = await post(fetch, "http://localhost:11434/api/embeddings", { model: "m", prompt: "jane@x.com" });
    expect(JSON.parse(server.asked[0]?.body ?? "")).toEqual({ model: "m", prompt: "[REDACTED_EMAIL]" });
    expect(await response.json()).toEqual({ embedding: [1] });
  });

  it("may change the model, the dimensions and the embeddings, whatever their order in the answer", async () => {
    const { plugin } = embeddingLayer((request) => ({ ...request, model: "n", dimensions: 2 }));
    const data = [
      { object: "embedding", index: 1, embedding: [2], own: "b" },
      { object: "embedding", index: 0, embedding: [1], own: "a" },
    ];
    const server = answering(jsonResponse({ object: "list", data, model: "n-1", usage: { prompt_tokens: 3, own: 1 } }));
    const response = await post(fetchWithPlugins([plugin, negative], server), url, { model: "m", input: ["a", "b"] });
    expect(JSON.parse(server.asked[0]?.body ?? "")).toEqual({ model: "n", input: ["a", "b"], dimensions: 2 });
    expect(await response.json()).toEqual({
      object: "list",
      model: "n-1",
      data: [
        { object: "embedding", index: 0, embedding: [-1], own: "a" },
        { object: "embedding", index: 1, embedding: [-2], own: "b" },
      ],
      usage: { prompt_tokens: 3, total_tokens: 3, own: 1 },
    });
  });

  it("may answer by itself, in numbers or in base64, and the client reads what it asked for", async () => {
    const base64 = Buffer.from(Float32Array.of(0.5, -2).buffer).toString("base64");
    for (const embedding of [[0.5, -2], base64]) {
      const cache = definePlugin({
        name: "cache",
        embedding: async (invocation) => invocation.respond({ value: { embeddings: [embedding] } }),
      });
      const { embeddings } = withPlugins(on.openai(), [cache]);
      for (const asked of [{}, { encoding_format: "float" as const }]) {
        const { data, usage } = await embeddings.create({ model: "m", input: "a", ...asked });
        expect(Array.from(data[0]?.embedding ?? [])).toEqual([0.5, -2]);
        expect(usage).toEqual({ prompt_tokens: 0, total_tokens: 0 });
      }
      const raw = await embeddings.create({ model: "m", input: "a", encoding_format: "base64" });
      expect(raw.data[0]?.embedding).toBe(base64);
    }
    expect(on.server.requests).toHaveLength(0);
  });

  it("may ask for numbers where base64 was asked for", async () => {
    const { plugin } = embeddingLayer((request) => ({ ...request, encodingFormat: "float" }));
    const bare = await on.openai().embeddings.create({ model: "m", input: "a" });
    const asked = await withPlugins(on.openai(), [plugin]).embeddings.create({ model: "m", input: "a" });
    expect(asked.data[0]?.embedding).toHaveLength(8);
    expect(Array.from(asked.data[0]?.embedding ?? [])).toEqual(Array.from(bare.data[0]?.embedding ?? []));
  });

  it("must keep the number of the texts, and of the embeddings", async () => {
    const { plugin } = embeddingLayer((request) => ({ ...request, input: request.input.slice(1) }));
    const none = changing((value) => ({ ...value, embeddings: [] }));
    for (const each of [plugin, none]) {
      const { embeddings } = withPlugins(on.openai(), [each]);
      const error = await rejection(embeddings.create({ model: "m", input: ["a", "b"] }));
      expect(error).toMatchObject({ code: "ERR_FETCH_EMBEDDING_COUNT" });
    }
    expect(on.server.requests).toHaveLength(1);
  });

  it("meets a refusal, and may answer in spite of it", async () => {
    const refusal = (): Response => jsonResponse({ error: { message: "of jane@x.com" } }, { status: 429 });
    const met: unknown[] = [];
    const watching = definePlugin({
      name: "watching",
      embedding: (_, callNext) =>
        callNext().catch((error: unknown) => {
          met.push(error);
          throw error;
        }),
    });
    const response = await post(fetchWithPlugins([watching], answering(refusal)), url, { model: "m", input: "a" });
    expect([response.status, await response.text()]).toEqual([429, await refusal().text()]);
    expect(met).toEqual([expect.objectContaining({ code: "ERR_FETCH_REFUSED", status: 429 })]);
    const fallback = definePlugin({
      name: "fallback",
      embedding: (invocation, callNext) => callNext().catch(() => invocation.respond({ value: { embeddings: [[1]] } })),
    });
    const instead = await post(fetchWithPlugins([fallback], answering(refusal)), url, { model: "m", input: "a" });
    expect([instead.status, (await instead.json()).data]).toEqual([
      200,
      [{ object: "embedding", index: 0, embedding: [1] }],
    ]);
  });

  it("throws, and the user gets what it threw, once", async () => {
    const error = new Error("no");
    const throwing = definePlugin({ name: "throwing", embedding: () => Promise.reject(error) });
    const { embeddings } = withPlugins(on.openai(3), [throwing]);
    expect(await rejection(embeddings.create({ model: "m", input: "a" }))).toBe(error);
  });

  it("is not passed by a request, or an answer, that is no JSON object", async () => {
    const fetch = fetchWithPlugins([embeddingLayer().plugin], answering(jsonResponse("[]")));
    const send = async (body: string) => rejection((await fetch(url, { method: "POST", body })).text());
    expect(await send("jane@x.com")).toMatchObject({ code: "ERR_FETCH_REQUEST_UNREADABLE" });
    expect(await send("{}")).toMatchObject({ code: "ERR_FETCH_ANSWER_UNREADABLE" });
  });

  it("an abort is the client's own error", async () => {
    const signal = AbortSignal.abort();
    const { embeddings } = withPlugins(on.openai(), [embeddingLayer().plugin]);
    const error = await rejection(embeddings.create({ model: "m", input: "a" }, { signal }));
    expect(error.constructor.name).toBe("APIUserAbortError");
  });
});

describe("what no layer changes goes as it came", () => {
  const request = '{ "model": "m", "input": [ "a" ] }';
  const answer = '{ "data": [ { "embedding": "AAAAPw==", "index": 0 } ] }';

  it("byte by byte", async () => {
    const server = answering(jsonResponse(answer, { headers: { "x-own": "1" } }));
    const response = await fetchWithPlugins([embeddingLayer().plugin], server)(url, { method: "POST", body: request });
    expect(server.asked[0]?.body).toBe(request);
    expect([await response.text(), response.headers.get("x-own")]).toEqual([answer, "1"]);
  });

  it("the very response, where no plugin has the hook", async () => {
    const plain = definePlugin({ name: "plain", model: (_, callNext) => callNext(), observe() {} });
    const own = jsonResponse(answer);
    const given = await fetchWithPlugins([plain], answering(own))(url, { method: "POST", body: request });
    expect(given).toBe(own);
  });
});
