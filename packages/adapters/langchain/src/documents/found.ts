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
  readonly #original: unknown;
  /** The original documents, by the document that layers see. */
  readonly #originals = new Map<RetrievedDocument, unknown>();

  constructor(original: unknown) {
    this.#original = original;
    const documents = (Array.isArray(original) ? original : [original]).map((one: unknown) => {
      const found = foundOf(one);
      this.#originals.set(found, one);
      return found;
    });
    this.result = { documents };
  }

  /** Returns the documents after the layers. Unchanged documents are the original objects. */
  documents(changed: RetrievalResult): unknown {
    if (changed === this.result) return this.#original;
    const documents = changed.documents.map((found) =>
      this.#originals.has(found) ? this.#originals.get(found) : documentOf(found),
    );
    return documents;
  }
}

/** Returns the documents of a layer that answered instead of the retriever. */
export const documentsOf = ({ documents }: RetrievalResult): readonly Document[] => documents.map(documentOf);

function foundOf(original: unknown): Found {
  if (!isRecord(original) || !("pageContent" in original)) return { content: original };
  const { pageContent, metadata, id, ...besides } = original;
  return {
    content: pageContent,
    ...(typeof id === "string" && { id }),
    ...(metadata !== undefined && { metadata }),
    ...(Object.keys(besides).length > 0 && { besides }),
  };
}

function documentOf({ id, content, metadata, besides }: Found): Document {
  const pageContent = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const document = new Document({
    pageContent,
    ...(isRecord(metadata) && { metadata }),
    ...(id !== undefined && { id }),
  });
  return Object.assign(document, besides);
}
