import { FetchError } from "./errors.js";

/** The treatment of a `POST` whose path no protocol knows: told once, refused, or let pass without a word. */
export type OtherRequests = "tell" | "refuse" | "pass";

/** Requests of the known clients to which no model writes an answer: the README lists them. */
const known =
  /\/(?:embeddings|moderations|images|audio|files|uploads|batches|vector_stores|fine_tuning|conversations|containers|count_tokens|input_tokens|compact|cancel|models)(?:\/|$)|:(?:countTokens|embedContent|batchEmbedContents)$/;

/** Paths may hold ids: no more than this many are told of, and none is kept for ever. */
const mostTold = 50;
const told = new Set<string>();

/** @throws FetchError `ERR_FETCH_UNKNOWN_PATH` */
export function checkOther({ pathname }: URL, mode: OtherRequests): void {
  if (mode === "pass" || known.test(pathname)) return;
  const path = pathname.split("/").map(withoutId).join("/");
  if (mode === "refuse") {
    throw new FetchError(
      "ERR_FETCH_UNKNOWN_PATH",
      `POST ${path} speaks no protocol that @suite/fetch knows, so no plugin could look at it, and it is not sent.`,
    );
  }
  if (told.has(path) || told.size >= mostTold) return;
  told.add(path);
  console.warn(
    `@suite/fetch: POST ${path} speaks no protocol that is known here, and passes all plugins. ` +
      'Choose with fetchWithPlugins(plugins, fetch, { others: "refuse" | "pass" }).',
  );
}

/** A segment of a path without what looks like an id: it may be somebody's. */
const withoutId = (segment: string): string => (/\d/.test(segment) && segment.length > 16 ? "…" : segment.slice(0, 64));
