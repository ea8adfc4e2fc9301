import type { WireFormat } from "../neutral/format.js";
import { chatCompletions } from "./chat/format.js";
import { completions } from "./completions/format.js";
import type { EmbeddingFormat } from "./embeddings/format.js";
import { geminiEmbeddings } from "./embeddings/gemini.js";
import { openAIEmbeddings } from "./embeddings/openai.js";
import { generateContent } from "./gemini/format.js";
import { messages } from "./messages/format.js";
import { responses } from "./responses/format.js";

/** The protocols by how a path ends. Messages of OpenAI's threads are no answers of a model, and have no version right before them. */
const formats: readonly (readonly [RegExp, WireFormat])[] = [
  [/\/chat\/completions\/?$/, chatCompletions],
  [/\/completions\/?$/, completions],
  [/\/responses\/?$/, responses],
  [/\/v1\/messages\/?$/, messages],
  [/\/models\/[^/:]+:(?:streamG|g)enerateContent$/, generateContent],
];

/** The protocol that is spoken at a path; undefined where no model is asked there. */
export const formatAt = (path: string): WireFormat | undefined => formats.find(([ending]) => ending.test(path))?.[1];

const embeddingFormats: readonly (readonly [RegExp, EmbeddingFormat])[] = [
  [/\/embeddings\/?$/, openAIEmbeddings],
  [/\/models\/[^/:]+:(?:batchEmbedContents|embedContent)$/, geminiEmbeddings],
];

/** The protocol in which embeddings are asked for at a path; undefined where none are. */
export const embeddingFormatAt = (path: string): EmbeddingFormat | undefined =>
  embeddingFormats.find(([ending]) => ending.test(path))?.[1];
