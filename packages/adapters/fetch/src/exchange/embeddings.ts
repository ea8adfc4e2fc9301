import type { EmbeddingResult, Invocation } from "@suite/core";
import { type FrameworkRuns, patiently } from "@suite/core/framework";
import { FetchError, refused } from "../errors.js";
import type { EmbeddingFormat } from "../formats/embeddings/format.js";
import { answerIn, type Json, objectIn, parsed, textOfValue } from "../json.js";
import { addressOf } from "./address.js";
import { Connection } from "./connection.js";
import { json, responseLike, throwing } from "./response.js";
import type { Fetch, Target } from "./target.js";

/** The request for embeddings: its protocol, address and body. */
export interface EmbeddingExchange {
  readonly format: EmbeddingFormat;
  readonly target: Target;
  readonly body: string;
  readonly fetch: Fetch;
}

/** An answer of the server, as the layers were given it. */
interface Answered {
  readonly response: Response;
  readonly text: string;
  readonly body: Json;
  readonly value: EmbeddingResult;
}

/** One request for embeddings through the layers, and its answer as a response. */
export async function embedded(
  runs: FrameworkRuns,
  { format, target, body, fetch }: EmbeddingExchange,
): Promise<Response> {
  const { signal } = target.init;
  const connection = new Connection(fetch);
  const run = runs.begin({ signal: signal ?? undefined, onAbort: "tell" });
  let last: Answered | undefined;
  let refusal: { readonly error: FetchError; readonly response: Response; readonly text: string } | undefined;
  const answered = async (): Promise<Response> => {
    const asked = objectIn(body);
    if (asked === undefined) throw unreadable();
    const view = format.view(asked, addressOf(target.url, format.provider), target.url);
    const { request } = view;
    const answers = new Map<EmbeddingResult, Answered>();
    const core = async (invocation: Invocation<"embedding">): Promise<void> => {
      last = undefined;
      const sent = view.write(invocation.request);
      const { model, encodingFormat } = invocation.request;
      const to = model === request.model || !format.to ? target : { ...target, url: format.to(target.url, model) };
      const response = await connection.send(to, sent === asked ? body : JSON.stringify(sent), invocation);
      const text = await response.text();
      if (!response.ok) {
        refusal = { error: refused(response.status, parsed(text)), response, text };
        throw refusal.error;
      }
      const answer = answerIn(text);
      last = { response, text, body: answer, value: format.result(answer) };
      if (encodingFormat === request.encodingFormat) answers.set(last.value, last);
      invocation.respond({ value: last.value });
    };
    const outcome = await runs.stack.call("embedding", run, request, core, runs.callAround(run));
    const final = await outcome.final();
    const same = answers.get(final);
    if (same !== undefined) return responseLike(same.response, same.text, json);
    return responseLike(last?.response, JSON.stringify(view.answer(final, last?.body)), json);
  };
  try {
    return await (signal ? patiently(answered(), signal) : answered());
  } catch (error) {
    const offline = connection.failure(error);
    if (offline !== undefined) return offline();
    if (signal?.aborted) throw error;
    if (!FetchError.is(error) || error.code !== "ERR_FETCH_REFUSED") return throwing(error, false);
    const text = error === refusal?.error ? refusal.text : textOfValue(error.body);
    return responseLike(refusal?.response, text, refusal?.response.headers.get("content-type") ?? json);
  } finally {
    await run.end();
  }
}

const unreadable = (): FetchError =>
  new FetchError("ERR_FETCH_REQUEST_UNREADABLE", "The request for embeddings is not a JSON object, so it is not sent.");
