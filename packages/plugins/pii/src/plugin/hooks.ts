import type { Awaitable, CallNext, Delta, Emit, Invocation, Reply, RuntimeContext, Stage } from "@suite/core";
import type { RetrievalResult } from "@suite/core/contract";
import { preparedStage } from "../redact/async/prepared.js";
import type { At, Guard } from "./guard.js";
import { inputTreatment } from "./input.js";
import type { Places } from "./options.js";
import { OutputStage } from "./output.js";
import { treatResult } from "./parts.js";
import { restoreInput, restoreOutput } from "./restoring.js";
import type { RunTokens, TokenRuns } from "./run-tokens.js";
import { guardThrown } from "./thrown.js";
import { treatWith } from "./treat.js";

type Layer<Context> = (context: Context, callNext: CallNext) => Promise<void>;

/** Guards model calls: their requests and responses. */
export function modelLayer(guard: Guard, places: Places, runs?: TokenRuns): Layer<Invocation<"model">> {
  const { input = true, output = false, toolArguments = false, errors = false } = places;
  const treatRequest = inputTreatment();
  return async (context, callNext) => {
    const { runtime, call, request } = context;
    const runTokens = runs?.of(runtime);
    if (runTokens !== undefined) runTokens.json = request.outputSchema !== undefined;
    if (input) {
      const at = { place: "input", runtime, call } as const;
      const treated = guard
        .prepared(at, runTokens)
        .run((ready) => ready.treat(at, request, (tally) => treatRequest(request, ready, tally, runTokens)));
      // A layer that has waited for something costs several promises more.
      context.request = "then" in treated ? await treated : treated;
    }
    await (errors ? guardThrown(guard, context, callNext, runTokens) : callNext());
    if (output || toolArguments) {
      const at = { runtime, call };
      const places = { output, toolArguments, outputSchema: request.outputSchema };
      const stage = (ready: Guard): Stage<Delta, Reply> => new OutputStage(ready, at, places, runTokens?.tokens.inside);
      context.pipe(preparedStage(guard.prepared(at, runTokens).map(stage)));
    }
    if (runs !== undefined && runTokens?.leavesWith(call)) context.pipe(restoreOutput(runs, runTokens));
  };
}

/** Tool calls: their input, and everything they answer. */
export function toolLayer(guard: Guard, places: Places, runs?: TokenRuns): Layer<Invocation<"tool">> {
  const { toolArguments = false, toolResults = false, errors = false } = places;
  return async (context, callNext) => {
    const { runtime, call, request } = context;
    const runTokens = runs?.of(runtime);
    let { input } = request;
    if (toolArguments) {
      const at = { place: "tool_arguments", runtime, call } as const;
      input = await treatAt(guard, at, input, runTokens);
    }
    if (runs !== undefined && runTokens?.mayRestoreFor(request.tool.name)) {
      input = await restoreInput(runs, runTokens, input);
    }
    if (!Object.is(input, request.input)) context.request = { ...request, input };
    await (toolResults || errors ? guardThrown(guard, context, callNext, runTokens) : callNext());
    if (toolResults) context.pipe({ chunk: treatChunks(guard, { place: "tool_result", runtime, call }, runTokens) });
  };
}

/** Guards the input of embedding requests. */
export function embeddingLayer(guard: Guard, runs?: TokenRuns): Layer<Invocation<"embedding">> {
  return async (context, callNext) => {
    const { runtime, call, request } = context;
    const at = { place: "embedding", runtime, call } as const;
    const input = await treatAt(guard, at, request.input, runs?.of(runtime));
    if (!Object.is(input, request.input)) context.request = { ...request, input: input as readonly unknown[] };
    await callNext();
  };
}

/** Guards retrieval: the query, and the documents found. */
export function retrievalLayer(guard: Guard, runs?: TokenRuns): Layer<Invocation<"retrieval">> {
  return async (context, callNext) => {
    const { runtime, call, request } = context;
    const runTokens = runs?.of(runtime);
    const at = { place: "retrieval", runtime, call } as const;
    const query = await treatAt(guard, at, request.query, runTokens);
    if (query !== request.query) context.request = { ...request, query: String(query) };
    await callNext();
    context.pipe({ chunk: treatChunks<RetrievalResult>(guard, at, runTokens) });
  };
}

/** Guards human input: the question to a person, and the answer. */
export function humanInputLayer(guard: Guard, runs?: TokenRuns): Layer<Invocation<"humanInput">> {
  return async (context, callNext) => {
    const { runtime, call, request } = context;
    const runTokens = runs?.of(runtime);
    const at = { place: "human_input", runtime, call } as const;
    // A question about a call with restored values may contain them too, and so may its answer: they are for the tool.
    const restoring =
      runs !== undefined && runTokens !== undefined && request.about && runTokens.mayRestoreFor(request.about.name)
        ? <T = unknown>(value: unknown, use?: (restored: unknown) => T) => restoreInput(runs, runTokens, value, use)
        : undefined;
    let question: unknown = await treatAt(guard, at, request.question, runTokens);
    if (restoring !== undefined) question = await restoring(question);
    if (question !== request.question) context.request = { ...request, question: String(question) };
    await callNext();
    context.pipe({ chunk: treatChunks(guard, at, runTokens) });
    if (restoring !== undefined) context.pipe({ chunk: (answer, emit) => restoring(answer, emit) });
  };
}

/** Guards errors thrown by an agent's replies, including those of `inner`. */
export function agentLayer(
  guard: Guard,
  runs?: TokenRuns,
  inner?: Layer<Invocation<"agent">>,
): Layer<Invocation<"agent">> {
  return (context, callNext) =>
    guardThrown(guard, context, inner ? () => inner(context, callNext) : callNext, runs?.of(context.runtime));
}

/** The system prompt, each time it is assembled. */
export function systemPromptHook(
  guard: Guard,
  runs?: TokenRuns,
): (prompt: string, runtime: RuntimeContext) => Awaitable<string> {
  return (prompt, runtime) => {
    const runTokens = runs?.of(runtime);
    const at = { place: "system_prompt", runtime } as const;
    return guard
      .prepared(at, runTokens)
      .run((ready) =>
        ready.treat(at, prompt, (tally) => treatWith(ready, tally, runTokens?.tokens.inside).text(prompt)),
      );
  };
}

/**
 * Treats a value at a place.
 *
 * @param use Receives the treated value
 */
export function treatAt<T = unknown>(
  guard: Guard,
  at: At,
  value: unknown,
  runTokens: RunTokens | undefined,
  use: (treated: unknown) => T = (treated) => treated as T,
): Awaitable<T> {
  return guard
    .prepared(at, runTokens)
    .run(
      (ready) =>
        ready.treat(at, value, (tally) => treatResult(value, treatWith(ready, tally, runTokens?.tokens.inside))),
      use,
    );
}

const treatChunks =
  <T = unknown>(guard: Guard, at: At, runTokens: RunTokens | undefined) =>
  (chunk: T, emit: Emit<T>): Awaitable<void> =>
    treatAt(guard, at, chunk, runTokens, (treated) => emit(treated as T));
