import type { WireFormat } from "../neutral/format.js";
import { chatCompletions } from "./chat/format.js";
import { completions } from "./completions/format.js";
import type { EmbeddingFormat } from "./embeddings/format.js";
import { geminiEmbeddings } from "./embeddings/gemini.js";
import { openAIEmbeddings } from "./embeddings/openai.js";
import { generateContent } from "./gemini/format.js";
import { messages } from "./messages/format.js";
import { responses } from "./responses/format.js";

/** The protocols by the end of the path. OpenAI's threads also have messages, but without a version right before them. */
const formats: readonly (readonly [RegExp, WireFormat])[] = [
  [/\/chat\/completions\/?$/, chatCompletions],
  [/\/completions\/?$/, completions],
  [/\/responses\/?$/, responses],
  [/\/v1\/messages\/?$/, messages],
  [/\/models\/[^/:]+:(?:streamG|g)enerateContent$/, generateContent],
];

/** Returns the protocol of a path. Returns `undefined` if it is not one of a model. */
export const formatAt = (path: string): WireFormat | undefined => formats.find(([ending]) => ending.test(path))?.[1];

const embeddingFormats: readonly (readonly [RegExp, EmbeddingFormat])[] = [
  [/\/embeddings\/?$/, openAIEmbeddings],
  [/\/models\/[^/:]+:(?:batchEmbedContents|embedContent)$/, geminiEmbeddings],
];

/** Returns the protocol of a path for embeddings. Returns `undefined` if it is another path. */
export const embeddingFormatAt = (path: string): EmbeddingFormat | undefined =>
  embeddingFormats.find(([ending]) => ending.test(path))?.[1];
