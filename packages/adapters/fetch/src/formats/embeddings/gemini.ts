import type { EmbeddingRequest } from "@suite/core/contract";
import { isJson, type Json, jsonOf, numberOf, objectsOf } from "../../json.js";
import type { Addressed } from "../../neutral/request.js";
import { addressOfModel, modelIn } from "../gemini/address.js";
import { checkCount, type EmbeddingFormat, type EmbeddingView, inEncoding } from "./format.js";

/** Google's `POST …/models/{model}:embedContent`, and `:batchEmbedContents`, which takes a list of such requests. */
export const geminiEmbeddings: EmbeddingFormat = {
  provider: "gcp.gemini",
  view,
  to: addressOfModel,
  result: (body) => ({
    embeddings: embeddingsIn(body).map(({ values }) => values),
    ...(isJson(body.usageMetadata) && { usage: { inputTokens: numberOf(body.usageMetadata.promptTokenCount) } }),
    response: {},
  }),
};

function view(body: Json, address: Addressed, url: URL): EmbeddingView {
  const isBatch = Array.isArray(body.requests);
  const items = isBatch ? objectsOf(body.requests) : [body];
  const dimensions = items[0]?.outputDimensionality;
  const request: EmbeddingRequest = {
    ...address,
    model: modelIn(url),
    input: items.map(inputOf),
    ...(typeof dimensions === "number" && { dimensions }),
  };
  return {
    request,
    write(changedRequest) {
      checkCount(changedRequest.input, request);
      const changed = items.map((item, index) => {
        const input = changedRequest.input[index];
        return {
          ...(input === request.input[index] ? item : withInput(item, input)),
          ...(changedRequest.model !== request.model && "model" in item && { model: `models/${changedRequest.model}` }),
          ...(changedRequest.dimensions !== request.dimensions && { outputDimensionality: changedRequest.dimensions }),
        };
      });
      const same = changedRequest.model === request.model && changedRequest.dimensions === request.dimensions;
      if (same && changedRequest.input.every((input, index) => input === request.input[index])) return body;
      return isBatch ? { ...body, requests: changed } : (changed[0] ?? body);
    },
    answer({ embeddings, usage }, original = {}) {
      checkCount(embeddings, request);
      const before = embeddingsIn(original);
      const written = embeddings.map((values, index) => ({ ...before[index], values: inEncoding(values, "float") }));
      const tokens = { usageMetadata: { ...jsonOf(original.usageMetadata), promptTokenCount: usage?.inputTokens } };
      return { ...original, ...(isBatch ? { embeddings: written } : { embedding: written[0] }), ...(usage && tokens) };
    },
  };
}

/** The fields without content of a user. */
const settings: ReadonlySet<string> = new Set(["model", "taskType", "outputDimensionality"]);

/**
 * Returns the input of a request. It is a string if the request contains a single text, otherwise an object with all
 * content (several parts, images, a title).
 */
function inputOf(item: Json): unknown {
  const { content, ...fields } = Object.fromEntries(Object.entries(item).filter(([name]) => !settings.has(name)));
  const text = Object.keys(fields).length === 0 ? textIn(content) : undefined;
  return text ?? { ...fields, ...(content !== undefined && { content }) };
}

/** Returns the text of a content with exactly one text part. Returns `undefined` for other content. */
function textIn(content: unknown): string | undefined {
  const { role: _, parts, ...others } = jsonOf(content);
  const [part, ...more] = objectsOf(parts);
  const alone = part !== undefined && more.length === 0 && Object.keys({ ...part, ...others }).length === 1;
  return alone && typeof part.text === "string" ? part.text : undefined;
}

function withInput(item: Json, input: unknown): Json {
  if (typeof input === "string") return { ...item, content: { ...jsonOf(item.content), parts: [{ text: input }] } };
  return { ...Object.fromEntries(Object.entries(item).filter(([name]) => settings.has(name))), ...jsonOf(input) };
}

const embeddingsIn = ({ embedding, embeddings }: Json): readonly Json[] =>
  embedding === undefined ? objectsOf(embeddings) : [jsonOf(embedding)];
