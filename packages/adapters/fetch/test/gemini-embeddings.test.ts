import { describe, expect, it, jest } from "@jest/globals";
import { definePlugin } from "@suite/core";
import type { EmbeddingRequest } from "@suite/core/contract";
import { fetchWithPlugins } from "@suite/fetch";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { answering, embeddingLayer, jsonResponse, post } from "./fake.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const base = "https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001";
const single = `${base}:embedContent`;
const batch = `${base}:batchEmbedContents`;
const content = (...texts: readonly string[]) => ({ parts: texts.map((each) => ({ text: each })) });
const usageMetadata = { promptTokenCount: 3 };

const asked = async (url: string, body: object, change?: (request: EmbeddingRequest) => EmbeddingRequest) => {
  const { plugin, seen } = embeddingLayer(change);
  const server = answering(jsonResponse({ embedding: { values: [1] } }));
  await (await post(fetchWithPlugins([plugin], server), url, body)).text();
  const [sent] = server.asked;
  return { seen: seen[0], url: sent?.url, text: sent?.body, body: JSON.parse(sent?.body ?? "null") };
};

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  const item = (more: object) => ({ model: "models/gemini-embedding-001", ...more });
  const forms = {
    "a text": [single, item({ content: content(text) })],
    "several parts, with a title": [single, item({ title: text, content: content("a", text) })],
    "a batch": [
      batch,
      { requests: [item({ content: content("one") }), item({ title: text, content: content(text) })] },
    ],
    "what nobody knows": [single, { instances: [{ prompt: text }] }],
  } as const;
  it.each(Object.entries(forms))("around %s", async (_, [url, body]) => {
    const watch = watched({ whereOffered: ["tool", "agent", "humanInput"] });
    const size = "requests" in body ? body.requests.length : 1;
    const values = [0.5, 1];
    const answer = "requests" in body ? { embeddings: [{ values }, { values }] } : { embedding: { values } };
    const server = answering(jsonResponse({ ...answer, usageMetadata }));
    const seen = await (await post(fetchWithPlugins(watch.plugins, server), url, body)).json();
    const { spans, records } = await watch.written();
    expect(seen).toEqual({ ...answer, usageMetadata });
    for (const told of [server.asked, spans, records]) expect(found(told)).toEqual([]);
    expect(server.asked[0]?.body).toContain("[REDACTED_EMAIL]");
    expect(server.asked[0]?.body.match(/models\/gemini-embedding-001/g)?.length ?? 0).toBe(
      url === single && "instances" in body ? 0 : size,
    );
    expect(spans.map(({ name }) => name)).toEqual(["embeddings gemini-embedding-001"]);
    expect(spans[0]?.attributes).toMatchObject({
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.usage.input_tokens": 3,
      "server.address": "generativelanguage.googleapis.com",
    });
    expect(records.length).toBeGreaterThan(1);
  });
});

describe("a layer of embeddings", () => {
  it("receives text as a string and any other input as it is, and the server receives unchanged input as it was", async () => {
    const body = {
      content: { role: "user", ...content("a") },
      taskType: "SEMANTIC_SIMILARITY",
      outputDimensionality: 4,
    };
    const { seen, text: sent } = await asked(single, body);
    expect(seen).toEqual({
      ...{ model: "gemini-embedding-001", provider: "gcp.gemini", input: ["a"], dimensions: 4 },
      server: { address: "generativelanguage.googleapis.com", port: 443 },
    });
    expect(sent).toBe(JSON.stringify(body));
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const requests = [
      { content: content("a", "b") },
      { content: { parts: [image] } },
      { title: "t", content: content("c") },
    ];
    expect((await asked(batch, { requests })).seen?.input).toEqual(requests);
  });

  it("may change texts, model and dimensions, in their places", async () => {
    const change = (request: EmbeddingRequest): EmbeddingRequest => ({
      ...request,
      ...{ model: "other", dimensions: 2 },
      input: request.input.map((item) =>
        typeof item === "string" ? item.toUpperCase() : { title: "T", content: content("C") },
      ),
    });
    const model = "models/gemini-embedding-001";
    const requests = [
      { model, content: { role: "user", ...content("a") }, taskType: "CLUSTERING" },
      { model, title: "t", content: content("c"), outputDimensionality: 9 },
    ];
    const { url, body } = await asked(batch, { requests, own: 1 }, change);
    expect(url).toContain("/models/other:batchEmbedContents");
    expect(body).toEqual({
      own: 1,
      requests: [
        {
          model: "models/other",
          content: { role: "user", ...content("A") },
          taskType: "CLUSTERING",
          outputDimensionality: 2,
        },
        { model: "models/other", title: "T", content: content("C"), outputDimensionality: 2 },
      ],
    });
  });

  it.each([
    [
      single,
      { content: content("a") },
      { embedding: { values: [0.5], shape: [1] } },
      { embedding: { values: [-0.5], shape: [1] } },
    ],
    [
      batch,
      { requests: [{}, {}] },
      { embeddings: [{ values: [1] }, { values: [2] }] },
      { embeddings: [{ values: [-1] }, { values: [-2] }] },
    ],
  ])("may change what comes back (%#)", async (url, body, came, given) => {
    const negative = definePlugin({
      name: "negative",
      async embedding(invocation, callNext) {
        await callNext();
        const of = (embedding: unknown) => (embedding as number[]).map((number) => -number);
        invocation.pipe({ chunk: (value, emit) => emit({ ...value, embeddings: value.embeddings.map(of) }) });
      },
    });
    const fetch = fetchWithPlugins([negative], answering(jsonResponse({ ...came, usageMetadata })));
    expect(await (await post(fetch, url, body)).json()).toEqual({ ...given, usageMetadata });
  });

  it("may answer by itself, and must keep the number of the texts", async () => {
    const cache = (...embeddings: readonly unknown[]) =>
      definePlugin({ name: "cache", embedding: async (invocation) => invocation.respond({ value: { embeddings } }) });
    const ask = async (url: string, body: object, ...embeddings: readonly unknown[]) =>
      (await post(fetchWithPlugins([cache(...embeddings)], answering()), url, body)).json();
    const base64 = Buffer.from(Float32Array.of(0.5, -2).buffer).toString("base64");
    expect(await ask(single, { content: content("a") }, base64)).toEqual({ embedding: { values: [0.5, -2] } });
    expect(await ask(batch, { requests: [{}, {}] }, [1], [2])).toEqual({
      embeddings: [{ values: [1] }, { values: [2] }],
    });
    await expect(ask(batch, { requests: [{}, {}] }, [1])).rejects.toMatchObject({ code: "ERR_FETCH_EMBEDDING_COUNT" });
  });
});
