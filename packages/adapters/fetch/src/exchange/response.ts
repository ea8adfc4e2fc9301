import type { Run } from "@suite/core/adapter";
import { patiently } from "@suite/core/framework";
import { FetchError, refused } from "../errors.js";
import { parsed, textOfValue } from "../json.js";
import { eventStream } from "../sse/framing.js";
import type { Connection } from "./connection.js";

/** Headers that describe the original body. They are wrong for a new body. */
const ofBody = ["content-length", "content-encoding", "transfer-encoding"];

/** The statuses whose responses have no body, by the Fetch standard. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Creates a response like another one, with a new body. If the headers of the original are right for that body, the
 * response has the same `Headers` object, since callers may compare it with the one of a client's error.
 */
export function responseLike(
  original: Response | undefined,
  body: string | ReadableStream<Uint8Array>,
  contentType: string,
): Response {
  const { status = 200, statusText = "OK", url = "" } = original ?? {};
  // A copy: web frameworks that replace the global `Response` change the object that they receive.
  const init = { status, statusText, headers: new Headers(original?.headers) };
  const response = new Response(bodiless.has(status) ? null : body, init);
  const { headers } = response;
  const sameKind = kindOf(original?.headers.get("content-type")) === kindOf(contentType);
  const keeps = sameKind && !ofBody.some((name) => headers.has(name));
  if (!keeps) for (const name of ofBody) headers.delete(name);
  if (!sameKind) headers.set("content-type", contentType);
  const properties = { url: { value: url }, ...(keeps && { headers: { value: original?.headers } }) };
  return Object.defineProperties(response, properties);
}

const kindOf = (contentType: string | null | undefined): string | undefined => contentType?.split(";", 1)[0]?.trim();

export const json = "application/json";

/**
 * Creates a response that fails when it is read. The client does not retry then, so users get the error of a layer
 * once.
 */
function throwing(error: unknown, asStream: boolean): Response {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) }, { highWaterMark: 0 });
  return responseLike(undefined, body, asStream ? eventStream.contentType : json);
}

/** The refusal of a server: the error for the layers, and the response that it was read from. */
export interface Refusal {
  readonly error: FetchError;
  readonly response: Response;
  readonly text: string;
}

/** Creates the refusal for a response. @param text its body */
export const refusalOf = (response: Response, text: string): Refusal => ({
  error: refused(response.status, parsed(text), response.headers),
  response,
  text,
});

/** Creates the response for a refusal, with the body of the server or the one that a guard made of it. */
export function refusalResponse(error: FetchError, refusal: Refusal | undefined): Response {
  const text = error === refusal?.error ? refusal.text : textOfValue(error.body);
  return responseLike(refusal?.response, text, refusal?.response.headers.get("content-type") ?? json);
}

/** The data of a client's request that is needed if it fails. */
export interface Answering {
  readonly run: Run;
  readonly connection: Connection;
  readonly signal: AbortSignal | null | undefined;
  readonly asStream: boolean;
  /** Creates the response for a refusal that the layers passed, or made. */
  refused(error: FetchError): Response;
}

/**
 * Returns the response for a client. If that fails, it ends the run. Then it fails as `fetch` did or with the reason of
 * the abort, or returns the refusal of the server. For any other error, the body of the response fails with it.
 */
export function answered(work: () => Promise<Response>, answering: Answering): Promise<Response> {
  const { run, connection, signal, asStream } = answering;
  const failed = async (error: unknown): Promise<Response> => {
    await run.end();
    const offline = connection.failure(error);
    if (offline !== undefined) return offline();
    if (signal?.aborted) throw error;
    if (!FetchError.is(error) || error.code !== "ERR_FETCH_REFUSED") return throwing(error, asStream);
    return answering.refused(error);
  };
  return (signal && !asStream ? patiently(work(), signal) : work()).catch(failed);
}
