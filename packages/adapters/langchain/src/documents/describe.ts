import type { EmbeddingRequest, RetrievalRequest } from "@suite/core/contract";
import { nameOf, serverOf } from "../model/describe.js";

/** The providers of LangChain's classes by the beginning of the class name. Instances do not contain it. */
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

/** Returns the model and the server of embeddings, as far as LangChain knows them. */
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

/** Returns the source and the document limit of a retriever, as far as LangChain knows them. */
export function describeRetriever(retriever: object): Omit<RetrievalRequest, "query"> {
  const { name, k } = retriever as { readonly name?: unknown; readonly k?: unknown };
  const source = typeof name === "string" ? name : storeOf(retriever);
  return {
    ...(source !== undefined && { source }),
    ...(typeof k === "number" && { limit: k }),
  };
}

/** Returns the type name of a retriever's vector store. */
function storeOf(retriever: object): string | undefined {
  if (!("_vectorstoreType" in retriever) || typeof retriever._vectorstoreType !== "function") return undefined;
  const type: unknown = retriever._vectorstoreType();
  return typeof type === "string" ? type : undefined;
}

/** Returns the names of an object's classes, the most derived first. */
function classesOf(value: object): readonly string[] {
  const names: string[] = [];
  for (let at = Object.getPrototypeOf(value); at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(String(at.constructor?.name ?? ""));
  }
  return names.filter((name) => name !== "");
}
