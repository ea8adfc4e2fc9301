import type { EmbeddingResult } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import { FetchError, refused } from "../errors.js";
import { answerIn, bodyOf, embeddingView, resultIn } from "../formats/embeddings/format.js";
import { type Json, objectIn, parsed, textOfValue } from "../json.js";
import { addressOf } from "./address.js";
import { json, responseLike, throwing } from "./response.js";
import { send } from "./send.js";
import type { Fetch, Target } from "./target.js";

/** Where embeddings are asked for, and how. */
export interface EmbeddingExchange {
  readonly target: Target;
  readonly body: string;
  readonly fetch: Fetch;
}

/** What the server answered, and the layers were given. */
interface Answered {
  readonly response: Response;
  readonly text: string;
  readonly body: Json;
  readonly value: EmbeddingResult;
}

/** OpenAI's protocol, which others speak too. */
export const isEmbeddings = (path: string): boolean => /\/embeddings\/?$/.test(path);

/** One request for embeddings through the layers, and its answer as a response. */
export async function embedded(runs: FrameworkRuns, { target, body, fetch }: EmbeddingExchange): Promise<Response> {
  const asked = objectIn(body);
  const { signal } = target.init;
  const run = runs.begin(signal ? { signal } : {});
  let last: Answered | undefined;
  let refusal: { readonly error: FetchError; readonly response: Response; readonly text: string } | undefined;
  let offline: { readonly error: unknown } | undefined;
  try {
    if (asked === undefined) throw unreadable();
    const { request, write } = embeddingView(asked, addressOf(target.url, "openai"));
    const answers = new Map<EmbeddingResult, Answered>();
    const outcome = await runs.stack.call(
      "embedding",
      run,
      request,
      async (invocation) => {
        last = undefined;
        const sent = write(invocation.request);
        const response = await send(fetch, target, sent === asked ? body : JSON.stringify(sent), invocation).catch(
          (error: unknown) => {
            offline = { error };
            throw error;
          },
        );
        const text = await response.text();
        if (!response.ok) {
          refusal = { error: refused(response.status, parsed(text)), response, text };
          throw refusal.error;
        }
        const answer = answerIn(text);
        last = { response, text, body: answer, value: resultIn(answer) };
        if (invocation.request.encodingFormat === request.encodingFormat) answers.set(last.value, last);
        invocation.respond({ value: last.value });
      },
      runs.callAround(run),
    );
    const final = await outcome.final();
    const same = answers.get(final);
    const { response } = same ?? last ?? {};
    return responseLike(response, same?.text ?? JSON.stringify(bodyOf(final, request, last?.body)), json);
  } catch (error) {
    // Of the network, and an abort: the client knows what to do about those.
    if (offline?.error === error || signal?.aborted) throw error;
    if (!FetchError.is(error) || error.code !== "ERR_FETCH_REFUSED") return throwing(error, false);
    const text = error === refusal?.error ? refusal.text : textOfValue(error.body);
    return responseLike(refusal?.response, text, refusal?.response.headers.get("content-type") ?? json);
  } finally {
    await run.end();
  }
}

const unreadable = (): FetchError =>
  new FetchError("ERR_FETCH_REQUEST_UNREADABLE", "The request for embeddings is not a JSON object, so it is not sent.");
