import type { EmbeddingRequest, RetrievalRequest } from "@suite/core";
import { nameOf, serverOf } from "../model/describe.js";

/** The providers of LangChain's classes, whose instances do not say it, by what the name of the class begins with. */
const providers: readonly (readonly [RegExp, string])[] = [
  [/^AzureOpenAI/, "azure"],
  [/^OpenAI/, "openai"],
  [/^Bedrock/, "aws_bedrock"],
  [/^(?:Google)?VertexAI/, "vertexai"],
  [/^GoogleGenerativeAI/, "google_genai"],
  [/^MistralAI/, "mistralai"],
  [/^Cohere/, "cohere"],
  [/^Ollama/, "ollama"],
  [/^Voyage/, "voyageai"],
];

/** The model that embeddings ask, and where, as far as LangChain knows. */
export function describeEmbeddings(embeddings: object): Omit<EmbeddingRequest, "input"> {
  const names = classesOf(embeddings);
  const provider = providers.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  const server = serverOf(embeddings);
  const { dimensions } = embeddings as { readonly dimensions?: unknown };
  return {
    model: nameOf(embeddings) ?? names[0] ?? "embeddings",
    ...(provider !== undefined && { provider }),
    ...(server && { server }),
    ...(typeof dimensions === "number" && { dimensions }),
  };
}

/** The source that a retriever searches, and how many documents it is to find, as far as LangChain knows. */
export function describeRetriever(retriever: object): Omit<RetrievalRequest, "query"> {
  const { name, k } = retriever as { readonly name?: unknown; readonly k?: unknown };
  const source = typeof name === "string" ? name : storeOf(retriever);
  return {
    ...(source !== undefined && { source }),
    ...(typeof k === "number" && { limit: k }),
  };
}

/** The type of a retriever's vector store, as the store names itself. */
function storeOf(retriever: object): string | undefined {
  if (!("_vectorstoreType" in retriever) || typeof retriever._vectorstoreType !== "function") return undefined;
  const type: unknown = retriever._vectorstoreType();
  return typeof type === "string" ? type : undefined;
}

/** The names of an object's classes, its own first. */
function classesOf(value: object): readonly string[] {
  const names: string[] = [];
  for (let at = Object.getPrototypeOf(value); at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(String(at.constructor?.name ?? ""));
  }
  return names.filter((name) => name !== "");
}
