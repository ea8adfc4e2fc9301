import type { DocumentInterface } from "@langchain/core/documents";
import type { RunnableInterface } from "@langchain/core/runnables";
import type { RetrievalRequest, RetrievalResult } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import { standingFor } from "../standing-for.js";
import { describeRetriever } from "./describe.js";
import { documentsOf, FoundDocuments } from "./found.js";

/** A retriever of LangChain, alone or with a configuration bound to it. */
export type Retriever = RunnableInterface<string, DocumentInterface[]>;

type Find = (query: unknown, ...more: unknown[]) => Promise<unknown>;

/** The method in which LangChain's retrievers search, of whatever copy they are. */
const search = "_getRelevantDocuments";

export const isRetriever = (target: object): boolean =>
  search in target && typeof target[search] === "function" && "invoke" in target;

/** A retriever that searches through the layers, each search a call: in the run that the calling code is in, else in one of its own. */
export function retrieverThrough<R extends object>(retriever: R, runs: FrameworkRuns): R {
  if (!runs.stack.has.retrieval) return standingFor(retriever, {});
  const name = placeIn(retriever);
  const find: Find = (query, ...more) => {
    const method: unknown = Reflect.get(retriever, name);
    return findThrough(retriever, query, (asked) => (method as Find).call(retriever, asked, ...more), runs);
  };
  return standingFor(retriever, { [name]: find });
}

/**
 * The method that layers are put round: the one inside of `invoke`, so that callbacks are told what was let through; where a
 * class has an `invoke` of its own, which may search in another way, that.
 */
function placeIn(retriever: object): "invoke" | typeof search {
  return depthOf(search, retriever) < depthOf("invoke", retriever) ? search : "invoke";
}

/** The number of prototypes between an object and where its member stands. */
function depthOf(name: string, value: object): number {
  let depth = 0;
  for (let at = value; at !== null && !Object.hasOwn(at, name); at = Object.getPrototypeOf(at)) depth++;
  return depth;
}

/** One search, through the layers. */
async function findThrough(
  retriever: object,
  query: unknown,
  find: (query: unknown) => Promise<unknown>,
  runs: FrameworkRuns,
): Promise<unknown> {
  // What searches for something else than text does so unless a layer has changed the text of it.
  const text = typeof query === "string" ? query : (JSON.stringify(query) ?? "");
  const request: RetrievalRequest = { ...describeRetriever(retriever), query: text };
  let found: FoundDocuments | undefined;
  const outcome = await runs.call("retrieval", request, async (invocation) => {
    const asked = invocation.request.query;
    found = new FoundDocuments(await find(asked === text ? query : asked));
    invocation.respond({ value: found.result });
  });
  const left: RetrievalResult = await outcome.final();
  return found === undefined ? documentsOf(left) : found.documents(left);
}
