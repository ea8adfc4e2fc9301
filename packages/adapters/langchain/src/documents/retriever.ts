import type { DocumentInterface } from "@langchain/core/documents";
import type { RunnableInterface } from "@langchain/core/runnables";
import type { RetrievalRequest, RetrievalResult } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import { standingFor } from "../standing-for.js";
import { describeRetriever } from "./describe.js";
import { documentsOf, FoundDocuments } from "./found.js";

/** A retriever of LangChain, optionally with a bound configuration. */
export type Retriever = RunnableInterface<string, DocumentInterface[]>;

type Find = (query: unknown, ...more: unknown[]) => Promise<unknown>;

/** The search method of LangChain's retrievers. The same in every copy of LangChain. */
const search = "_getRelevantDocuments";

export const isRetriever = (target: object): boolean =>
  search in target && typeof target[search] === "function" && "invoke" in target;

/**
 * Returns a retriever whose searches pass through the layers. Each search is a call in the run around it, or in a new
 * run.
 */
export function retrieverThrough<R extends object>(retriever: R, runs: FrameworkRuns): R {
  if (!runs.stack.has.retrieval) return standingFor(retriever, {});
  const name = methodToWrap(retriever);
  const find: Find = (query, ...more) => {
    const method: unknown = Reflect.get(retriever, name);
    return findThrough(
      retriever,
      query,
      (changedQuery) => (method as Find).call(retriever, changedQuery, ...more),
      runs,
    );
  };
  return standingFor(retriever, { [name]: find });
}

/**
 * Returns the method to wrap. Normally the one inside `invoke`, so that callbacks receive the documents after the
 * layers. If a class overrides `invoke`, which may search differently, it is `invoke`.
 */
function methodToWrap(retriever: object): "invoke" | typeof search {
  return depthOf(search, retriever) < depthOf("invoke", retriever) ? search : "invoke";
}

/** Returns the number of prototypes between an object and the one that defines its member. */
function depthOf(name: string, value: object): number {
  let depth = 0;
  for (let at = value; at !== null && !Object.hasOwn(at, name); at = Object.getPrototypeOf(at)) depth++;
  return depth;
}

/** Runs one search through the layers. */
async function findThrough(
  retriever: object,
  query: unknown,
  find: (query: unknown) => Promise<unknown>,
  runs: FrameworkRuns,
): Promise<unknown> {
  // A query that is not a string is passed on unchanged, unless a layer has changed its string.
  const text = typeof query === "string" ? query : (JSON.stringify(query) ?? "");
  const request: RetrievalRequest = { ...describeRetriever(retriever), query: text };
  let found: FoundDocuments | undefined;
  const outcome = await runs.call("retrieval", request, async (invocation) => {
    const finalQuery = invocation.request.query;
    found = new FoundDocuments(await find(finalQuery === text ? query : finalQuery));
    invocation.respond({ value: found.result });
  });
  const result: RetrievalResult = await outcome.final();
  return found === undefined ? documentsOf(result) : found.documents(result);
}
