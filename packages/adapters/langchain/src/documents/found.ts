import { Document } from "@langchain/core/documents";
import type { RetrievalResult, RetrievedDocument } from "@suite/core/contract";
import { isRecord } from "@suite/kit";

/** A document as layers see it, with its additional fields. */
interface Found extends RetrievedDocument {
  readonly besides?: Readonly<Record<string, unknown>>;
}

/** The documents of a retriever as layers see them, and the originals. */
export class FoundDocuments {
  readonly result: RetrievalResult;
  readonly #given: unknown;
  /** The original documents, by the document that layers see. */
  readonly #originals = new Map<RetrievedDocument, unknown>();

  constructor(given: unknown) {
    this.#given = given;
    const documents = (Array.isArray(given) ? given : [given]).map((one: unknown) => {
      const found = foundOf(one);
      this.#originals.set(found, one);
      return found;
    });
    this.result = { documents };
  }

  /** Returns the documents after the layers. Unchanged documents are the original objects. */
  documents(left: RetrievalResult): unknown {
    if (left === this.result) return this.#given;
    const documents = left.documents.map((found) =>
      this.#originals.has(found) ? this.#originals.get(found) : documentOf(found),
    );
    return documents;
  }
}

/** Returns the documents of a layer that answered instead of the retriever. */
export const documentsOf = ({ documents }: RetrievalResult): readonly Document[] => documents.map(documentOf);

function foundOf(given: unknown): Found {
  if (!isRecord(given) || !("pageContent" in given)) return { content: given };
  const { pageContent, metadata, id, ...besides } = given;
  return {
    content: pageContent,
    ...(typeof id === "string" && { id }),
    ...(metadata !== undefined && { metadata }),
    ...(Object.keys(besides).length > 0 && { besides }),
  };
}

function documentOf({ id, content, metadata, besides }: Found): Document {
  const pageContent = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const made = new Document({
    pageContent,
    ...(isRecord(metadata) && { metadata }),
    ...(id !== undefined && { id }),
  });
  return Object.assign(made, besides);
}
