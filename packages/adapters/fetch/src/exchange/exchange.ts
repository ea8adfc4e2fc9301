import type { Invocation } from "@suite/core";
import { type FrameworkRuns, signalOfAttempt } from "@suite/core/framework";
import { FetchError } from "../errors.js";
import { objectIn } from "../json.js";
import { viewOf, withSystemPrompt } from "../neutral/request.js";
import { withSigned } from "../neutral/signed.js";
import { eventStream, jsonList } from "../sse/framing.js";
import { Attempt } from "./attempt.js";
import { Connection } from "./connection.js";
import type { Ledger } from "./plain.js";
import { collected, layerAnswer } from "./plain.js";
import { askFor } from "./plugin-ask.js";
import { answered, json, refusalResponse, responseLike } from "./response.js";
import { type Exchanged, failureEvent, streamed } from "./streamed.js";
import type { Exchange } from "./target.js";
import { addressOf } from "./target.js";

/** Carries out one request to a model as a model call. Returns its answer as a response. */
export function exchanged(runs: FrameworkRuns, exchange: Exchange): Promise<Response> {
  const { format, target, body, fetch } = exchange;
  const received = objectIn(body);
  const parsed = received && withSigned(received);
  const text = parsed === received ? body : JSON.stringify(parsed);
  const { route } = format;
  const asStream = route === undefined ? parsed?.stream === true : route.streams(target.url);
  const isList = route?.isList(target.url) === true;
  const { signal } = target.init;
  const connection = new Connection(fetch);
  let attempt: Attempt | undefined;
  // `fetch` decides how an abort ends a request. A stream ends at once.
  const run = runs.begin({ signal: signal ?? undefined, onAbort: asStream ? "stop" : "tell" });
  const answer = async (): Promise<Response> => {
    if (parsed === undefined) throw unreadable();
    const routed = { model: route?.model(target.url), stream: asStream };
    const view = viewOf(format.request, parsed, addressOf(target.url, format.provider), routed);
    run.ask = askFor(runs, run, exchange, parsed, view.request);
    const core = async (invocation: Invocation<"model">): Promise<void> => {
      attempt = undefined;
      const sent = view.write(invocation.request);
      const { model } = invocation.request;
      const to =
        route === undefined || model === routed.model ? target : { ...target, url: route.to(target.url, model) };
      // A reader that cancels a stream ends its run and so its request. A whole answer has been read before its run ends.
      const callerSignal = asStream ? run.signal : (signal ?? undefined);
      const attemptSignal = signalOfAttempt(runs.stack, invocation, callerSignal) ?? callerSignal;
      const response = await connection.send(
        to,
        sent === parsed ? text : JSON.stringify(sent),
        invocation,
        attemptSignal,
      );
      attempt = new Attempt(response, isList);
      const responding = attempt.respond(invocation, format);
      if (responding !== undefined) await responding;
    };
    const prompted = withSystemPrompt(runs.stack, view.request, run);
    const request = prompted instanceof Promise ? await prompted : prompted;
    const outcome = await runs.stack.call("model", run, request, core, runs.callAround(run));
    // A layer that answers despite a refusal answers by itself, without that response.
    const last = attempt?.refusal === undefined ? attempt : undefined;
    const framing = last?.framing ?? (isList ? jsonList : eventStream);
    const done: Exchanged = { format, framing, request, outcome, attempt: last };
    // The response decides: a server may send a whole answer although the request wants a stream.
    if (last === undefined ? asStream : last.complete === undefined) {
      void outcome.settled.then(() => run.end());
      return streamed(done, () => run.end());
    }
    const ledger = collected(outcome);
    const response = completeResponse(done, ledger instanceof Promise ? await ledger : ledger);
    const ending = run.finish();
    if (ending !== undefined) await ending;
    return response;
  };
  const refused = (error: FetchError): Response => {
    const refusal = attempt?.refusal;
    if (refusal !== undefined) return refusalResponse(error, refusal);
    const framing = isList ? jsonList : eventStream;
    const failure = framing.writer().write(failureEvent(format, error.body));
    return responseLike(attempt?.response, failure, framing.contentType);
  };
  return answered(answer, { run, connection, signal, asStream, refused });
}

function completeResponse({ format, request, attempt }: Exchanged, ledger: Ledger): Response {
  const text = attempt?.complete?.written(ledger) ?? JSON.stringify(layerAnswer(format, request, ledger));
  return responseLike(attempt?.response, text, attempt?.complete === undefined ? json : typeOf(attempt.response));
}

const typeOf = ({ headers }: Response): string => headers.get("content-type") ?? json;

const unreadable = (): FetchError =>
  new FetchError("ERR_FETCH_REQUEST_UNREADABLE", "The request to the model is not a JSON object, so it is not sent.");
