/** Requests and results of embeddings, document searches and memories. Plain data, for `Kinds`. */

/** One request that turns strings into vectors. */
export interface EmbeddingRequest {
  readonly model: string;
  /** The provider's name as in `gen_ai.provider.name`: `openai`, `cohere`, … */
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
  /** The inputs, in order: strings, or other inputs of the provider (token ids, images). */
  readonly input: readonly unknown[];
  readonly dimensions?: number;
  readonly encodingFormat?: string;
}

/** The answer of an embedding call. */
export interface EmbeddingResult {
  /** The vectors, one per input, in order: numbers, or the provider's encoding of them. */
  readonly embeddings: readonly unknown[];
  readonly usage?: { readonly inputTokens: number };
  readonly response?: { readonly id?: string; readonly model?: string };
}

/** One search of documents: in a vector store, a search index, a knowledge base. */
export interface RetrievalRequest {
  readonly query: string;
  /** The id of the searched source: `gen_ai.data_source.id`. */
  readonly source?: string;
  /** The maximum number of documents. */
  readonly limit?: number;
  readonly model?: string;
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
}

/** A document that a search found. */
export interface RetrievedDocument {
  readonly id?: string;
  /** The document's text, or the framework's value for it. */
  readonly content: unknown;
  readonly score?: number;
  readonly metadata?: unknown;
}

/** The answer of a document search. */
export interface RetrievalResult {
  /** The documents, best first. */
  readonly documents: readonly RetrievedDocument[];
}

/** Memory operations, named as in `gen_ai.operation.name`. */
export type MemoryOperation =
  | "search_memory"
  | "create_memory"
  | "update_memory"
  | "upsert_memory"
  | "delete_memory"
  | "create_memory_store"
  | "delete_memory_store";

/** One operation on a memory, which an agent keeps between conversations. */
export interface MemoryRequest {
  readonly operation: MemoryOperation;
  /** The id of the store: `gen_ai.memory.store.id`. */
  readonly store?: string;
  /** The searched text. Absent in a deletion, which uses `ids`. */
  readonly query?: string;
  /** The maximum number of records. */
  readonly limit?: number;
  /** The ids of the records to delete. */
  readonly ids?: readonly string[];
  /** The records to write. A record to update has its id. */
  readonly records?: readonly MemoryRecord[];
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
}

/** One record of a memory. */
export interface MemoryRecord {
  readonly id?: string;
  /** The record's text, or the memory's value for it. */
  readonly content: unknown;
  readonly score?: number;
  readonly metadata?: unknown;
}

/** The result of an operation on a memory. */
export interface MemoryResult {
  /**
   * The records that a search found, best first. For other operations the stored records, if the memory returns them.
   */
  readonly records?: readonly MemoryRecord[];
  /** The number of records that were found, written or deleted, if `records` does not contain them. */
  readonly count?: number;
}
