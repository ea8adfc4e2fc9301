/** Requests and results of the kinds that search: embeddings, documents, memories. Plain data, for `Kinds`. */

/** One request for embeddings: texts on their way to vectors. */
export interface EmbeddingRequest {
  readonly model: string;
  /** The provider's name as in `gen_ai.provider.name`: `openai`, `cohere`, … */
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
  /** The inputs that are embedded, in order: texts, or what a provider takes beside them (token ids, images). */
  readonly input: readonly unknown[];
  readonly dimensions?: number;
  readonly encodingFormat?: string;
}

export interface EmbeddingResult {
  /** The vectors, one for each input, in order: numbers, or the provider's encoding of them. */
  readonly embeddings: readonly unknown[];
  readonly usage?: { readonly inputTokens: number };
  readonly response?: { readonly id?: string; readonly model?: string };
}

/** One search of documents: of a vector store, a search index, a knowledge base. */
export interface RetrievalRequest {
  readonly query: string;
  /** The id of what is searched: `gen_ai.data_source.id`. */
  readonly source?: string;
  /** The most documents that are asked for. */
  readonly limit?: number;
  readonly model?: string;
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
}

export interface RetrievedDocument {
  readonly id?: string;
  /** The text of the document, or what the framework has in place of one. */
  readonly content: unknown;
  readonly score?: number;
  readonly metadata?: unknown;
}

export interface RetrievalResult {
  /** The documents, best first. */
  readonly documents: readonly RetrievedDocument[];
}

/** The operations on a memory, as `gen_ai.operation.name` has them. */
export type MemoryOperation =
  | "search_memory"
  | "create_memory"
  | "update_memory"
  | "upsert_memory"
  | "delete_memory"
  | "create_memory_store"
  | "delete_memory_store";

/** One operation on a memory: on what an agent keeps from one conversation to the next. */
export interface MemoryRequest {
  readonly operation: MemoryOperation;
  /** The id of the store: `gen_ai.memory.store.id`. */
  readonly store?: string;
  /** The text that is searched for. A deletion has none: it names the records by their ids. */
  readonly query?: string;
  /** The most records that are asked for. */
  readonly limit?: number;
  /** The ids of the records that are meant: those that are deleted. */
  readonly ids?: readonly string[];
  /** The records that are written. One that is updated has its id. */
  readonly records?: readonly MemoryRecord[];
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
}

/** One thing that is remembered. */
export interface MemoryRecord {
  readonly id?: string;
  /** The text of the record, or whatever the memory keeps in place of one. */
  readonly content: unknown;
  readonly score?: number;
  readonly metadata?: unknown;
}

/** The result of an operation on a memory. */
export interface MemoryResult {
  /** The records that a search found, best first; of other operations the records as they were kept, where the memory tells. */
  readonly records?: readonly MemoryRecord[];
  /** The number of records that were found, written or deleted, where `records` does not show it. */
  readonly count?: number;
}
