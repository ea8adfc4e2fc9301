import type { Delta, Invocation, ModelRequest, Outcome, Reply } from "@suite/core";
import { type FrameworkRuns, patiently } from "@suite/core/framework";
import { FetchError } from "../errors.js";
import type { WireFormat } from "../formats/format.js";
import { objectIn, textOfValue } from "../json.js";
import { viewOf } from "../neutral/request.js";
import { withSystemPrompt } from "../neutral/system-prompt.js";
import { eventStream, type Framing, jsonList } from "../sse/framing.js";
import { addressOf } from "./address.js";
import { Attempt } from "./attempt.js";
import { Connection } from "./connection.js";
import { askFor } from "./plugin-ask.js";
import { json, responseLike, throwing } from "./response.js";
import { streamed } from "./streamed.js";
import type { Fetch, Target } from "./target.js";
import { collected, ownAnswer } from "./whole.js";

/** The request to a model: its protocol, address and body. */
export interface Exchange {
  readonly format: WireFormat;
  readonly target: Target;
  readonly body: string;
  readonly fetch: Fetch;
}

/** The exchange once the model was asked, with its answer. */
export interface Exchanged {
  readonly format: WireFormat;
  readonly framing: Framing;
  readonly request: ModelRequest;
  readonly outcome: Outcome<Delta, Reply>;
  /** The last attempt; undefined where a layer answered without asking. */
  readonly attempt: Attempt | undefined;
}

/** One request to a model as a model call, and its answer as a response. */
export async function exchanged(runs: FrameworkRuns, exchange: Exchange): Promise<Response> {
  const { format, target, body, fetch } = exchange;
  const asked = objectIn(body);
  const { route } = format;
  const asStream = route === undefined ? asked?.stream === true : route.streams(target.url);
  const framing = route?.isList(target.url) ? jsonList : eventStream;
  const { signal } = target.init;
  const connection = new Connection(fetch);
  let attempt: Attempt | undefined;
  // What an abort does to a request is for `fetch` to say; a stream ends at once.
  const run = runs.begin({ signal: signal ?? undefined, onAbort: asStream ? "stop" : "tell" });
  const answered = async (): Promise<Response> => {
    if (asked === undefined) throw unreadable();
    const routed = { model: route?.model(target.url), stream: asStream };
    const view = viewOf(format.request, asked, addressOf(target.url, format.provider), routed);
    run.ask = askFor(runs, run, exchange, asked, view.request);
    const core = async (invocation: Invocation<"model">): Promise<void> => {
      attempt = undefined;
      const sent = view.write(invocation.request);
      const { model } = invocation.request;
      const to =
        route === undefined || model === routed.model ? target : { ...target, url: route.to(target.url, model) };
      const response = await connection.send(to, sent === asked ? body : JSON.stringify(sent), invocation);
      attempt = new Attempt(response, framing);
      await attempt.respond(invocation, format);
    };
    const request = await withSystemPrompt(runs.stack, view.request, run);
    const outcome = await runs.stack.call("model", run, request, core, runs.callAround(run));
    void outcome.settled.then(() => run.end());
    // A layer that answers in spite of a refusal answers by itself: its answer has nothing of that response.
    const last = attempt?.refusal === undefined ? attempt : undefined;
    const done: Exchanged = { format, framing, request, outcome, attempt: last };
    if (asStream) return streamed(done, () => run.end());
    const response = await whole(done);
    await run.end();
    return response;
  };
  try {
    return await (signal && !asStream ? patiently(answered(), signal) : answered());
  } catch (error) {
    await run.end();
    const offline = connection.failure(error);
    if (offline !== undefined) return offline();
    if (signal?.aborted) throw error;
    return refusedOr(error, attempt, format, asStream, framing);
  }
}

async function whole({ format, request, outcome, attempt }: Exchanged): Promise<Response> {
  const ledger = await collected(outcome);
  const text = attempt?.whole?.written(ledger) ?? JSON.stringify(ownAnswer(format, request, ledger));
  return responseLike(attempt?.response, text, json);
}

/** The server's own words, or what a guard made of them; else what was thrown. */
function refusedOr(
  error: unknown,
  attempt: Attempt | undefined,
  format: WireFormat,
  asStream: boolean,
  framing: Framing,
): Response {
  if (!FetchError.is(error) || error.code !== "ERR_FETCH_REFUSED") return throwing(error, asStream);
  const refusal = attempt?.refusal;
  if (refusal === undefined)
    return responseLike(attempt?.response, framing.writer().write(format.failure(error.body)), framing.contentType);
  const text = error === refusal.error ? refusal.text : textOfValue(error.body);
  return responseLike(attempt?.response, text, attempt?.response.headers.get("content-type") ?? json);
}

const unreadable = (): FetchError =>
  new FetchError("ERR_FETCH_REQUEST_UNREADABLE", "The request to the model is not a JSON object, so it is not sent.");
