import type { EmbeddingFormat } from "./format.js";
import { geminiEmbeddings } from "./gemini.js";
import { openAIEmbeddings } from "./openai.js";

/** Protocols by how a path ends. */
const formats: readonly (readonly [RegExp, EmbeddingFormat])[] = [
  [/\/embeddings\/?$/, openAIEmbeddings],
  [/\/models\/[^/:]+:(?:batchEmbedContents|embedContent)$/, geminiEmbeddings],
];

/** The protocol in which embeddings are asked for at a path; undefined where none are. */
export const embeddingFormatAt = (path: string): EmbeddingFormat | undefined =>
  formats.find(([ending]) => ending.test(path))?.[1];
