import type { Run } from "@suite/core/adapter";
import { patiently } from "@suite/core/framework";
import { FetchError, refused } from "../errors.js";
import { parsed, textOfValue } from "../json.js";
import { eventStream } from "../sse/framing.js";
import type { Connection } from "./connection.js";

/** Headers that tell of a body as it was sent: of the one that is given out they would not be true. */
const ofBody = ["content-length", "content-encoding", "transfer-encoding"];

/** The statuses whose responses have no body, by the Fetch standard. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A response as another one was, with another body. It keeps the original's headers where they are true of that, the very
 * object: whoever catches a client's error may compare it.
 */
export function responseLike(
  original: Response | undefined,
  body: string | ReadableStream<Uint8Array>,
  contentType: string,
): Response {
  const { status = 200, statusText = "OK", url = "" } = original ?? {};
  const init = { status, statusText, ...(original !== undefined && { headers: original.headers }) };
  const response = new Response(bodiless.has(status) ? null : body, init);
  const { headers } = response;
  const sameKind = kindOf(original?.headers.get("content-type")) === kindOf(contentType);
  const keeps = sameKind && !ofBody.some((name) => headers.has(name));
  if (!keeps) for (const name of ofBody) headers.delete(name);
  if (!sameKind) headers.set("content-type", contentType);
  const own = { url: { value: url }, ...(keeps && { headers: { value: original?.headers } }) };
  return Object.defineProperties(response, own);
}

const kindOf = (contentType: string | null | undefined): string | undefined => contentType?.split(";", 1)[0]?.trim();

export const json = "application/json";

/** Errors when it is read, outside of the client's retries: what a layer threw reaches the user as it is, and once. */
export function throwing(error: unknown, asStream: boolean): Response {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) }, { highWaterMark: 0 });
  return responseLike(undefined, body, asStream ? eventStream.contentType : json);
}

/** The refusal of a server: the error that the layers meet, and the response that it was read from. */
export interface Refusal {
  readonly error: FetchError;
  readonly response: Response;
  readonly text: string;
}

/** The refusal that a response is, whose text was read. */
export const refusalOf = (response: Response, text: string): Refusal => ({
  error: refused(response.status, parsed(text), response.headers),
  response,
  text,
});

/** The response of a refusal: the server's own words, or what a guard made of them. */
export function refusalResponse(error: FetchError, refusal: Refusal | undefined): Response {
  const text = error === refusal?.error ? refusal.text : textOfValue(error.body);
  return responseLike(refusal?.response, text, refusal?.response.headers.get("content-type") ?? json);
}

/** One request of a client, as far as its failure goes. */
export interface Answering {
  readonly run: Run;
  readonly connection: Connection;
  readonly signal: AbortSignal | null | undefined;
  readonly asStream: boolean;
  /** The response of a refusal that the layers let through, or made. */
  refused(error: FetchError): Response;
}

/**
 * Answers a client, and ends the run where that fails: as `fetch` failed, where no response came; with the abort's reason;
 * with the server's refusal; else with a body that fails with what a layer threw.
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
