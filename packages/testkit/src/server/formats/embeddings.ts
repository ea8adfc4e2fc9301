import { member } from "./format.js";

const maxDimensions = 4096;

/** Returns a vector of length 1 that depends on the text alone, so that the same text is nearest to itself. */
function vectorOf(text: string, dimensions: number): Float32Array {
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393;
    vector[i] = (state >>> 0) / 2 ** 31 - 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** `POST /v1/embeddings`: answers without a script. */
export function embeddings(body: unknown): unknown {
  const requested = member(body, "dimensions");
  const dimensions =
    typeof requested === "number" && requested >= 1 ? Math.min(Math.floor(requested), maxDimensions) : 8;
  const base64 = member(body, "encoding_format") === "base64";
  const input = member(body, "input");
  const texts = (Array.isArray(input) && !input.every(Number.isInteger) ? input : [input]).map((text) =>
    typeof text === "string" ? text : (JSON.stringify(text) ?? ""),
  );
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return {
    object: "list",
    model: member(body, "model") ?? "fake-model",
    data: texts.map((text, index) => {
      const vector = vectorOf(text, dimensions);
      return {
        object: "embedding",
        index,
        embedding: base64 ? Buffer.from(vector.buffer).toString("base64") : [...vector],
      };
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
