import {
  type CallId,
  type Delta,
  type Invocation,
  type ModelRequest,
  type Outcome,
  type Reply,
  redactorOf,
} from "@suite/core";
import type { Answer, CallCore, PluginStack, Run } from "@suite/core/adapter";
import type { ReasoningRequest } from "@suite/core/contract";
import { Attempts, countUsage, signalOfAttempt } from "@suite/core/framework";
import type { CallOptions, GenerateResult, Model, StreamResult } from "../framework.js";
import type { PromptReader } from "../messages/prompt.js";
import { ReadReply, resultOfReply } from "../messages/reply.js";
import { withToolContent } from "../messages/tool-content.js";
import { withheldBy } from "../messages/withheld.js";
import { noteAtWork } from "./at-work.js";
import { modelOfAttempt, serveAsk } from "./plugin-ask.js";
import { providerOf } from "./provider.js";
import { StreamReader } from "./read-stream.js";
import { besideOf, paramsOf, readCall, systemText, withSystem } from "./request.js";
import { abortable, patiently, type StopSignal } from "./stop.js";
import { ModelStream } from "./streams.js";

/** The plugin stack, the run and the parent call of a model call. */
export interface Within {
  readonly stack: PluginStack;
  readonly run: Run;
  readonly call?: CallId | undefined;
  /** Reads the prompts of a turn, whose steps share most messages. */
  readonly prompts?: PromptReader;
}

/** An answer after all layers, and the model's answer. After several attempts it is the one that the layers used. */
export interface ModelCallResult<Result> {
  readonly outcome: Outcome<Delta, Reply>;
  readonly modelAnswer: () => Result | undefined;
}

/** The innermost call of a round. Calls the model with the call options that the layers passed. */
type ModelCore = (params: CallOptions, model: Model, invocation: Invocation<"model">) => Promise<Answer<"model">>;

/** Runs one round: the `reasoning` layers (if any), the system prompt, the `model` layers, and the model. */
function runRound(
  { stack, run, call, prompts }: Within,
  model: Model,
  params: CallOptions,
  stream: boolean,
  core: ModelCore,
): Promise<Outcome<Delta, Reply>> {
  const read = readCall(params, prompts);
  noteAtWork(run, stack);
  run.takesClients = true;
  run.takesBranches = true;
  serveAsk(run, stack, () => ({ model, headers: params.headers, round: read }));
  const callModel = (
    round: ReasoningRequest,
    parent: CallId | undefined,
    prompt: string | undefined,
  ): Promise<Outcome<Delta, Reply>> => {
    const request: ModelRequest = {
      ...round,
      messages: withSystem(read, prompt, round.messages),
      model: model.modelId,
      provider: providerOf(model.provider),
      stream,
      ...besideOf(params),
    };
    const callCore: CallCore<"model"> = async (invocation) => {
      const attemptModel = modelOfAttempt(model, invocation);
      const redactor = redactorOf(run);
      const written = withToolContent(paramsOf(read, invocation.request, redactor), attemptModel);
      const restored = withheldBy(stack).restored(written, attemptModel, redactor);
      const abortSignal = signalOfAttempt(stack, invocation, restored.abortSignal);
      invocation.respond(
        await core(abortSignal === undefined ? restored : { ...restored, abortSignal }, attemptModel, invocation),
      );
    };
    return stack.call("model", run, request, callCore, parent);
  };
  const prompted = async (round: ReasoningRequest, parent: CallId | undefined): Promise<Outcome<Delta, Reply>> =>
    callModel(round, parent, await stack.systemPrompt(systemText(read), run));
  const runModel = stack.has.systemPrompt ? prompted : callModel;
  if (!stack.has.reasoning) return runModel(read.request, call, undefined);
  const layered: CallCore<"reasoning"> = async (reasoning) => {
    const inner = await runModel(reasoning.request, reasoning.call, undefined);
    reasoning.respond(inner.streaming ? { stream: inner } : { value: await inner.final() });
  };
  return stack.call("reasoning", run, read.request, layered, call);
}

/** Calls a model for a complete answer through the layers. */
export async function generateThroughLayers(
  within: Within,
  model: Model,
  params: CallOptions,
): Promise<ModelCallResult<ReadReply>> {
  const { run } = within;
  const attempts = new Attempts<ReadReply>();
  const outcome = await runRound(within, model, params, false, async (options, attemptModel, invocation) => {
    const read = new ReadReply(
      await patiently(attemptModel.doGenerate(options), ...signalsFor(options, run)),
      redactorOf(run),
      withheldBy(within.stack),
    );
    attempts.add(invocation, read);
    countUsage(run, read.reply.usage);
    return { value: read.reply };
  });
  return { outcome, modelAnswer: () => attempts.taken };
}

/** Returns the framework's result for a complete answer. */
export const resultOf = (read: ReadReply | undefined, reply: Reply): GenerateResult =>
  read === undefined ? resultOfReply(reply) : read.resultOf(reply);

/** A model's streamed answer: the stream, and the result that contained it. */
export interface StreamedAnswer {
  readonly source: ModelStream;
  readonly result: StreamResult;
}

/** Calls a model for a streamed answer through the layers. */
export async function streamThroughLayers(
  within: Within,
  model: Model,
  params: CallOptions,
): Promise<ModelCallResult<StreamedAnswer>> {
  const attempts = new Attempts<StreamedAnswer>();
  const guarded = within.stack.plugins.some(guards);
  const outcome = await runRound(within, model, params, true, async (options, attemptModel, invocation) => {
    const result = await begunStream(attemptModel.doStream(options), signalsFor(options, within.run));
    const reading = new StreamReader(guarded, redactorOf(within.run), withheldBy(within.stack));
    const source = new ModelStream(result.stream, reading, {
      signal: params.abortSignal,
      used: (usage) => countUsage(within.run, usage),
    });
    attempts.add(invocation, { source, result });
    return { stream: source };
  });
  return { outcome, modelAnswer: () => attempts.taken };
}

/**
 * Returns the signals that end the wait for a model: the caller's signal, which includes time limits of the framework,
 * and the end of the run.
 */
export const signalsFor = ({ abortSignal }: Pick<CallOptions, "abortSignal">, run: Run): readonly StopSignal[] =>
  abortSignal === undefined ? [run] : [abortSignal, run];

/** Waits for the model's stream until a signal aborts. A stream that arrives later is cancelled. */
function begunStream(work: PromiseLike<StreamResult>, signals: readonly StopSignal[]): Promise<StreamResult> {
  const waited = abortable(work, ...signals);
  waited.catch((reason) => work.then(({ stream }) => stream.cancel(reason))).catch(() => {}); // callers get it
  return waited;
}

/** Returns true if a plugin may change an answer. A plugin that requires a hook for answers counts as one that does. */
const guards = (plugin: PluginStack["plugins"][number]): boolean =>
  answering.some((kind) => plugin[kind] !== undefined && plugin.whereOffered?.includes(kind) !== true);
const answering = ["agent", "reasoning", "model"] as const;
