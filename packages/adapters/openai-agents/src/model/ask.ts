import { type Delta, type Invocation, type Outcome, type Reply, redactorOf } from "@suite/core";
import { Attempts, ambientStorage, countUsage, signalOfAttempt } from "@suite/core/framework";
import type { SdkEvent, SdkModel, SdkRequest, SdkResponse } from "../framework.js";
import type { CurrentRun } from "../sdk/current-run.js";
import { nameOfModel, providerOfModel } from "./name.js";
import { modelOfAttempt, noteRound } from "./plugin-ask.js";
import { StreamReader } from "./read-stream.js";
import { besideOf, readRequest, requestOf, sentTo, withSystem } from "./request.js";
import { type ReadAnswer, readAnswer, responseOf } from "./response.js";
import { guards, isWatched } from "./watched.js";
import { StreamWriter } from "./write-stream.js";

type Core = (
  request: SdkRequest,
  model: SdkModel,
  invocation: Invocation<"model">,
) => Promise<{ readonly value: Reply } | { readonly stream: AsyncIterable<Delta, void> }>;

/** Runs one round: the `reasoning` layers, the system prompt, the `model` layers, and the model. */
async function runRound(
  { runs: { stack }, run, call }: CurrentRun,
  model: SdkModel,
  sdkRequest: SdkRequest,
  stream: boolean,
  core: Core,
  onInner?: (inner: Outcome<Delta, Reply>) => void,
): Promise<Outcome<Delta, Reply>> {
  const read = readRequest(sdkRequest);
  noteRound(run, model, sdkRequest);
  run.takesClients = true;
  run.takesBranches = true;
  return stack.call(
    "reasoning",
    run,
    read.request,
    async (reasoning) => {
      const prompt = await stack.systemPrompt(sdkRequest.systemInstructions ?? "", run);
      const request = {
        ...reasoning.request,
        messages: withSystem(prompt, reasoning.request.messages),
        model: nameOfModel(model),
        ...providerOfModel(model),
        stream,
        ...besideOf(sdkRequest),
      };
      const inner = await stack.call(
        "model",
        run,
        request,
        async (invocation) => {
          const attemptModel = await modelOfAttempt(model, invocation);
          const prepared = sentTo(attemptModel, requestOf(read, invocation.request), redactorOf(run));
          const signal = signalOfAttempt(stack, invocation, prepared.signal);
          invocation.respond(
            await core(signal === undefined ? prepared : { ...prepared, signal }, attemptModel, invocation),
          );
          const ambient = stream ? ambientStorage() : undefined;
          // A stream runs when it is pulled, so its call must be set for each pull too.
          if (ambient === undefined) return;
          const current = { runtime: run, call: invocation.call };
          invocation.pipe({ around: (pull) => ambient.run(current, pull) });
        },
        reasoning.call,
      );
      onInner?.(inner);
      reasoning.respond(inner.streaming ? { stream: inner } : { value: await inner.final() });
    },
    call,
  );
}

/** Replaces a model's `getResponse`. */
export async function generateThroughLayers(
  at: CurrentRun,
  model: SdkModel,
  sdkRequest: SdkRequest,
  getResponse: (request: SdkRequest) => Promise<SdkResponse>,
): Promise<SdkResponse> {
  if (!isWatched(at.runs.stack)) return getResponse(sdkRequest);
  const attempts = new Attempts<ReadAnswer>();
  const outcome = await runRound(at, model, sdkRequest, false, async (request, attemptModel, invocation) => {
    const answer = readAnswer(
      await (attemptModel === model ? getResponse(request) : attemptModel.getResponse(request)),
    );
    attempts.add(invocation, answer);
    countUsage(at.run, answer.reply.usage);
    return { value: answer.reply };
  });
  return responseOf(await outcome.final(), attempts.taken, redactorOf(at.run));
}

/** Replaces a model's `getStreamedResponse`. */
export async function* streamThroughLayers(
  at: CurrentRun,
  model: SdkModel,
  sdkRequest: SdkRequest,
  getStream: (request: SdkRequest) => AsyncIterable<SdkEvent>,
): AsyncGenerator<SdkEvent, void> {
  if (!isWatched(at.runs.stack)) return yield* getStream(sdkRequest);
  const attempts = new Attempts<StreamReader>();
  let byLayer = false;
  const { signal } = at.run;
  const guarded = at.runs.stack.plugins.some(guards);
  const stateful = sdkRequest.conversationId !== undefined || sdkRequest.previousResponseId !== undefined;
  const outcome = await runRound(
    at,
    model,
    sdkRequest,
    true,
    async (request, attemptModel, invocation) => {
      const begun = new StreamReader({ guarded, stateful, signal, used: (usage) => countUsage(at.run, usage) });
      attempts.add(invocation, begun);
      return {
        stream: begun.deltas(attemptModel === model ? getStream(request) : attemptModel.getStreamedResponse(request)),
      };
    },
    ({ byLayer: answered }) => {
      byLayer = answered === true;
    },
  );
  // If a layer answered after a model failed, the failed attempt is ignored.
  const used = attempts.taken;
  const reading = byLayer && used?.failure !== undefined ? undefined : used;
  const writing = new StreamWriter(() => reading, redactorOf(at.run));
  try {
    for await (const delta of outcome) for (const event of writing.write(delta)) yield event;
  } catch (error) {
    // After an abort, the SDK receives the model's error.
    if (reading?.aborted !== true || error !== signal.reason) throw error;
  }
  yield* writing.end();
  if (reading?.failure !== undefined) throw reading.failure.error;
}
