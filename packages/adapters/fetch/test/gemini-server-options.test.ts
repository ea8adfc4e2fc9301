import { describe, expect, it } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Plugin } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { answering, jsonResponse, post, sse, watching } from "./fake.js";

const base = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash";

/** Options for what Gemini does on its servers. */
const body = {
  cachedContent: "cachedContents/7lf5him5",
  contents: [{ role: "user", parts: [{ text: "How much is 3 * 12390, and what does https://example.com say?" }] }],
  tools: [
    { codeExecution: {} },
    { urlContext: {} },
    { googleSearch: {} },
    { fileSearch: { fileSearchStoreNames: ["s"] } },
  ],
  generationConfig: { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true }, responseModalities: ["TEXT"] },
  safetySettings: [{ category: "HARM_CATEGORY_HATE_SPEECH", threshold: "BLOCK_NONE" }],
  labels: { team: "desk" },
  serviceTier: "flex",
};
const parts = [
  { text: "I will calculate.", thought: true },
  { executableCode: { code: "print(3 * 12390)", id: "c1", language: "PYTHON" }, thoughtSignature: "sig" },
  { codeExecutionResult: { id: "c1", outcome: "OUTCOME_OK", output: "37170\n" } },
  { text: "It is 37170." },
];
const usageMetadata = {
  promptTokenCount: 3520,
  candidatesTokenCount: 82,
  thoughtsTokenCount: 159,
  cachedContentTokenCount: 3512,
  toolUsePromptTokenCount: 877,
  totalTokenCount: 4638,
  cacheTokensDetails: [{ modality: "TEXT", tokenCount: 3512 }],
};
const urlContextMetadata = {
  urlMetadata: [{ retrievedUrl: "https://example.com", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" }],
};
const groundingMetadata = {
  groundingChunks: [{ web: { uri: "https://example.com", title: "Example" } }],
  groundingSupports: [{ segment: { endIndex: 12, text: "It is 37170." }, groundingChunkIndices: [0] }],
};
const common = { modelVersion: "gemini-2.5-flash", responseId: "r" };
const last = { finishReason: "STOP", urlContextMetadata, groundingMetadata };
const whole = { candidates: [{ content: { role: "model", parts }, index: 0, ...last }], usageMetadata, ...common };
const events = parts.map((part, index) => {
  const end = index === parts.length - 1;
  const candidate = { content: { role: "model", parts: [part] }, index: 0, ...(end && last) };
  return `data: ${JSON.stringify({ candidates: [candidate], ...(end && { usageMetadata }), ...common })}\r\n\r\n`;
});

interface Piece {
  text?: string;
  readonly thought?: boolean;
}

/** Joins the pieces of each text, which a guard may cut in another way. */
function joined(pieces: readonly Piece[]): readonly object[] {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (piece.text === "") continue;
    if (last?.text === undefined || piece.text === undefined || last.thought !== piece.thought)
      whole.push({ ...piece });
    else last.text += piece.text;
  }
  return whole;
}

const guard = {
  ...pii({ vin: "redact" }, { apply: { output: true, toolArguments: true, toolResults: true } }),
  whereOffered: ["tool", "embedding", "agent", "humanInput", "retrieval"],
} satisfies Plugin;
const lists: readonly (readonly [string, readonly Plugin[]])[] = [
  ["a layer that changes nothing", [watching]],
  ["a guard that finds nothing", [guard]],
];

describe.each(lists)("options for what Gemini does on its servers, with %s,", (_, plugins) => {
  it("are sent as they came, and their results arrive as they came", async () => {
    const server = answering(jsonResponse(whole));
    const response = await post(fetchWithPlugins(plugins, server), `${base}:generateContent`, body);
    expect(server.asked[0]?.body).toBe(JSON.stringify(body));
    expect(await response.json()).toEqual(whole);
  });

  it("are sent as they came in a stream, whose results arrive in their order", async () => {
    const server = answering(sse(...events));
    const url = `${base}:streamGenerateContent?alt=sse`;
    const text = await (await post(fetchWithPlugins(plugins, server), url, body)).text();
    expect(server.asked[0]?.body).toBe(JSON.stringify(body));
    const came = text.split(/\r?\n\r?\n/).filter((event) => event !== "");
    const candidates = came.map((event) => JSON.parse(event.slice("data: ".length)).candidates[0]);
    expect(joined(candidates.flatMap(({ content }) => content.parts))).toEqual(parts);
    expect(Object.assign({}, ...candidates)).toMatchObject(last);
    expect(came.at(-1)).toContain('"cachedContentTokenCount":3512');
  });
});

it.each([false, true])("spans have the tokens of the cache, of thoughts and of tools; streamed: %p", async (stream) => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const server = answering(stream ? sse(...events) : jsonResponse(whole));
  const url = stream ? `${base}:streamGenerateContent?alt=sse` : `${base}:generateContent`;
  await (await post(fetchWithPlugins([tracing({ tracerProvider })], server), url, body)).text();
  expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
    "gen_ai.usage.input_tokens": 3520 + 877,
    "gen_ai.usage.output_tokens": 82 + 159,
    "gen_ai.usage.cache_read.input_tokens": 3512,
    "gen_ai.usage.reasoning.output_tokens": 159,
  });
});
