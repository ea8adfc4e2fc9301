import { type CallId, type Delta, type Outcome, type Reply, redactorOf } from "@suite/core";
import type { PluginStack, Run } from "@suite/core/adapter";
import { abortable, countUsage, patiently } from "@suite/core/framework";
import { ReadReply, resultOfReply } from "../messages/reply.js";
import { StreamReading } from "../stream/reading.js";
import { ModelStream } from "../stream/streams.js";
import type { CallOptions, GenerateResult, Model, StreamResult } from "../types.js";
import { noteAtWork } from "./at-work.js";
import { serveAsk } from "./plugin-ask.js";
import { providerOf } from "./provider.js";
import { paramsOf, readCall, systemText, withSystem } from "./request.js";

/** The plugin stack and run of a model call, and the call within which it happens. */
export interface Within {
  readonly stack: PluginStack;
  readonly run: Run;
  readonly call?: CallId | undefined;
}

/** An answer after all layers, and what the model itself gave: of several attempts, the last. */
export interface Asked<Result> {
  readonly outcome: Outcome<Delta, Reply>;
  readonly given: () => Result | undefined;
}

/** Runs one round: the `reasoning` layers, the system prompt, the `model` layers, and the model. */
async function askRound(
  { stack, run, call }: Within,
  model: Model,
  params: CallOptions,
  stream: boolean,
  core: (params: CallOptions) => Promise<{ readonly value: Reply } | { readonly stream: AsyncIterable<Delta, void> }>,
): Promise<Outcome<Delta, Reply>> {
  const read = readCall(params);
  noteAtWork(run, stack);
  serveAsk(run, stack, () => ({ model, headers: params.headers, round: read }));
  return stack.call(
    "reasoning",
    run,
    read.request,
    async (reasoning) => {
      const prompt = await stack.systemPrompt(systemText(read), run);
      const request = {
        ...reasoning.request,
        messages: withSystem(read, prompt, reasoning.request.messages),
        model: model.modelId,
        provider: providerOf(model.provider),
        stream,
      };
      const inner = await stack.call(
        "model",
        run,
        request,
        async (invocation) => {
          invocation.respond(await core(paramsOf(read, invocation.request, redactorOf(run))));
        },
        reasoning.call,
      );
      reasoning.respond(inner.streaming ? { stream: inner } : { value: await inner.final() });
    },
    call,
  );
}

/** Asks a model for a whole answer, through the layers. */
export async function askWhole(within: Within, model: Model, params: CallOptions): Promise<Asked<ReadReply>> {
  let given: ReadReply | undefined;
  const outcome = await askRound(within, model, params, false, async (asked) => {
    given = new ReadReply(
      await patiently(model.doGenerate(asked), signalFor(asked, within.run)),
      redactorOf(within.run),
    );
    countUsage(within.run, given.reply.usage);
    return { value: given.reply };
  });
  return { outcome, given: () => given };
}

/** The framework's result of a whole answer. */
export const wholeOf = (given: ReadReply | undefined, reply: Reply): GenerateResult =>
  given === undefined ? resultOfReply(reply) : given.resultOf(reply);

/** A model's streamed answer: the stream itself, and what came beside it. */
export interface GivenStream {
  readonly source: ModelStream;
  readonly result: StreamResult;
}

/** Asks a model for a streamed answer, through the layers. */
export async function askStream(within: Within, model: Model, params: CallOptions): Promise<Asked<GivenStream>> {
  let given: GivenStream | undefined;
  const guarded = within.stack.plugins.some(guards);
  const outcome = await askRound(within, model, params, true, async (asked) => {
    const result = await begunStream(model.doStream(asked), signalFor(asked, within.run));
    const reading = new StreamReading(guarded, redactorOf(within.run));
    const source = new ModelStream(result.stream, reading, {
      signal: params.abortSignal,
      used: (usage) => countUsage(within.run, usage),
    });
    given = { source, result };
    return { stream: source };
  });
  return { outcome, given: () => given };
}

/** The signal by which a model call is left behind: the caller's, a time limit of the framework's, or the end of the run. */
export const signalFor = ({ abortSignal }: Pick<CallOptions, "abortSignal">, { signal }: Run): AbortSignal =>
  abortSignal === undefined ? signal : AbortSignal.any([abortSignal, signal]);

/** The model's stream, waited for until the signal aborts; one that comes later is closed. */
function begunStream(work: PromiseLike<StreamResult>, signal: AbortSignal): Promise<StreamResult> {
  const waited = abortable(work, signal);
  waited.catch(() => work.then(({ stream }) => stream.cancel(signal.reason))).catch(() => {}); // told to whoever waits
  return waited;
}

/** Whether a plugin may change an answer: one that requires a hook for answers is taken for one that does. */
const guards = (plugin: PluginStack["plugins"][number]): boolean =>
  answering.some((kind) => plugin[kind] !== undefined && plugin.whereOffered?.includes(kind) !== true);
const answering = ["agent", "reasoning", "model"] as const;
