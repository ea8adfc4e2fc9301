import type { Invocation } from "@suite/core";
import type { EmbeddingResult } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import { FetchError } from "../errors.js";
import type { EmbeddingFormat } from "../formats/embeddings/format.js";
import { answerIn, type Json, objectIn } from "../json.js";
import { Connection } from "./connection.js";
import { answered, json, type Refusal, refusalOf, refusalResponse, responseLike } from "./response.js";
import type { Exchange } from "./target.js";
import { addressOf } from "./target.js";

/** An answer of the server, as the layers got it. */
interface Answered {
  readonly response: Response;
  readonly text: string;
  readonly body: Json;
  readonly value: EmbeddingResult;
}

/** Sends one request for embeddings through the layers. Returns its answer as a response. */
export async function embedded(
  runs: FrameworkRuns,
  { format, target, body, fetch }: Exchange<EmbeddingFormat>,
): Promise<Response> {
  const { signal } = target.init;
  const connection = new Connection(fetch);
  const run = runs.begin({ signal: signal ?? undefined, onAbort: "tell" });
  let last: Answered | undefined;
  let refusal: Refusal | undefined;
  const answer = async (): Promise<Response> => {
    const parsed = objectIn(body);
    if (parsed === undefined) throw unreadable();
    const view = format.view(parsed, addressOf(target.url, format.provider), target.url);
    const { request } = view;
    const answers = new Map<EmbeddingResult, Answered>();
    const core = async (invocation: Invocation<"embedding">): Promise<void> => {
      last = undefined;
      const sent = view.write(invocation.request);
      const { model, encodingFormat } = invocation.request;
      const to = model === request.model || !format.to ? target : { ...target, url: format.to(target.url, model) };
      const text = sent === parsed ? body : JSON.stringify(sent);
      const response = await connection.send(to, text, invocation, signal ?? undefined);
      const received = await response.text();
      if (!response.ok) {
        refusal = refusalOf(response, received);
        throw refusal.error;
      }
      const parsedAnswer = answerIn(received);
      last = { response, text: received, body: parsedAnswer, value: format.result(parsedAnswer) };
      if (encodingFormat === request.encodingFormat) answers.set(last.value, last);
      invocation.respond({ value: last.value });
    };
    const outcome = await runs.stack.call("embedding", run, request, core, runs.callAround(run));
    const final = await outcome.final();
    await run.end();
    const same = answers.get(final);
    if (same !== undefined) return responseLike(same.response, same.text, json);
    return responseLike(last?.response, JSON.stringify(view.answer(final, last?.body)), json);
  };
  const refused = (error: FetchError): Response => refusalResponse(error, refusal);
  return answered(answer, { run, connection, signal, asStream: false, refused });
}

const unreadable = (): FetchError =>
  new FetchError("ERR_FETCH_REQUEST_UNREADABLE", "The request for embeddings is not a JSON object, so it is not sent.");
