import type { Run } from "@suite/core/adapter";
import { patiently } from "@suite/core/framework";
import { FetchError, refused } from "../errors.js";
import { parsed, textOfValue } from "../json.js";
import type { Connection } from "./connection.js";
import { json, responseLike, throwing } from "./response.js";

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
