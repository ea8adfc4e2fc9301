import { FetchError } from "./errors.js";

/** The treatment of a `POST` to a path of no known protocol: pass with one warning, refuse, or pass silently. */
export type OtherRequests = "tell" | "refuse" | "pass";

/** Requests of the known clients that do not return the response of a model. The README lists them. */
const known =
  /\/(?:embeddings|moderations|images|audio|files|uploads|batches|vector_stores|fine_tuning|conversations|containers|count_tokens|input_tokens|compact|cancel|models)(?:\/|$)|:(?:countTokens|embedContent|batchEmbedContents)$/;

/** The maximum number of paths in the warnings. Paths may contain ids, so the set must not grow without limit. */
const maxWarnings = 50;
const warnedPaths = new Set<string>();

/** @throws FetchError `ERR_FETCH_UNKNOWN_PATH` */
export function checkOther({ pathname }: URL, mode: OtherRequests): void {
  if (mode === "pass" || known.test(pathname)) return;
  const path = pathname.split("/").map(withoutId).join("/");
  if (mode === "refuse") {
    throw new FetchError(
      "ERR_FETCH_UNKNOWN_PATH",
      `POST ${path} does not use a protocol that @suite/fetch supports, so no plugin can inspect it. It was not sent.`,
    );
  }
  if (warnedPaths.has(path) || warnedPaths.size >= maxWarnings) return;
  warnedPaths.add(path);
  console.warn(
    `@suite/fetch: POST ${path} does not use a supported protocol, so it bypasses all plugins. ` +
      'Choose with fetchWithPlugins(plugins, fetch, { others: "refuse" | "pass" }).',
  );
}

/** Returns a segment of a path, or `…` if it looks like an id, which may identify a person. */
const withoutId = (segment: string): string => (/\d/.test(segment) && segment.length > 16 ? "…" : segment.slice(0, 64));
