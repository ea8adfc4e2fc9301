import type { Delta, Invocation, Outcome, Reply } from "@suite/core";
import type { CallCore, Run, RunOptions } from "@suite/core/adapter";
import type { FrameworkRuns } from "@suite/core/framework";
import type { CallOptions, Model, StreamResult } from "../framework.js";
import { fromMessages } from "../messages/from-neutral.js";
import { toMessage } from "../messages/to-neutral.js";
import {
  generateThroughLayers,
  type ModelCallResult,
  resultOf,
  streamThroughLayers,
  type Within,
} from "../model/ask.js";
import type { ModelCalls } from "../model/layered.js";
import { serveAsk } from "../model/plugin-ask.js";
import { streamOf } from "../model/streams.js";
import { modelHooks } from "./direct.js";
import { whenPiped } from "./piped.js";
import { beforeVerdict, streamedBeforeVerdict, type Verdict } from "./verdict.js";

/** The model calls of a function that calls the model once. */
export interface SingleRound extends ModelCalls {
  /** Ends the runs of `generate` with the framework's result. Returns the result. */
  ending<T>(result: Promise<T>): Promise<T>;
}

/**
 * Creates model calls for functions that call the model once and have no tools, such as `generateObject`. Each call is
 * a turn, and a retry of the framework is another one. A turn ends with the framework's verdict on its answer.
 */
export function singleRound(runs: FrameworkRuns, options: RunOptions, verdict: Verdict): SingleRound {
  const round = runs.stack.hasAny(["agent", ...modelHooks]) ? layeredRound : directRound;
  return round(runs, options, verdict);
}

/** Creates calls of the model without layers. Each has a run that ends with the verdict. */
function directRound(runs: FrameworkRuns, options: RunOptions, verdict: Verdict): SingleRound {
  let answered: Run | undefined;
  const failed = (run: Run, error: unknown): Promise<unknown> | undefined => {
    run.failed(error);
    return run.finish();
  };
  return {
    async generate(model, params) {
      const run = runs.begin(options);
      try {
        const result = await runs.inside(run, "agent", () => model.doGenerate(params));
        answered = run;
        return result;
      } catch (error) {
        const ended = failed(run, error);
        if (ended !== undefined) await ended;
        throw error;
      }
    },
    async stream(model, params) {
      const run = runs.begin(options);
      const over = (): void => void run.finish();
      const judge = (): void => void verdict().then(over, (error: unknown) => failed(run, error));
      try {
        const result = await runs.inside(run, "agent", () => model.doStream(params));
        whenPiped(result.stream, judge, over);
        return result;
      } catch (error) {
        void failed(run, error);
        throw error;
      }
    },
    ending: (result) =>
      new Promise((resolve, reject) => {
        const after = (ended: Promise<unknown> | undefined, then: () => void): void => {
          if (ended === undefined) then();
          else void ended.then(then);
        };
        result.then(
          (value) => after(answered?.finish(), () => resolve(value)),
          (error: unknown) => after(answered && failed(answered, error), () => reject(error)),
        );
      }),
  };
}

/** Creates calls through all layers. Each has a run that ends with the verdict. */
function layeredRound(runs: FrameworkRuns, options: RunOptions, verdict: Verdict): SingleRound {
  const ends: Promise<void>[] = [];
  const begin = (model: Model, { headers }: CallOptions): Run => {
    const run = runs.begin(options);
    serveAsk(run, runs.stack, () => ({ model, headers }));
    return run;
  };
  return {
    async generate(model, params) {
      const run = begin(model, params);
      try {
        const { outcome, modelAnswer } = await inAgent(run, runs, params, (within, callParams) =>
          generateThroughLayers(within, model, callParams),
        );
        const reply = await beforeVerdict(outcome, verdict);
        ends.push(outcome.settled.then(() => run.end()));
        return resultOf(modelAnswer(), reply);
      } catch (error) {
        await run.end();
        throw error;
      }
    },
    async stream(model, params) {
      const run = begin(model, params);
      try {
        const { outcome, modelAnswer } = await inAgent(run, runs, params, (within, callParams) =>
          streamThroughLayers(within, model, callParams),
        );
        void outcome.settled.then(() => run.end());
        const stream = streamOf(streamedBeforeVerdict(outcome, verdict), modelAnswer()?.source);
        return { ...modelAnswer()?.result, stream } as StreamResult;
      } catch (error) {
        await run.end();
        throw error;
      }
    },
    async ending(result) {
      try {
        return await result;
      } finally {
        await Promise.all(ends);
      }
    },
  };
}

/** Runs the agent layers around one call of the model. */
async function inAgent<R>(
  run: Run,
  runs: FrameworkRuns,
  params: CallOptions,
  callModel: (within: Within, params: CallOptions) => Promise<ModelCallResult<R>>,
): Promise<ModelCallResult<R>> {
  const messages = params.prompt.map(toMessage);
  const system = messages.filter(({ role }) => role === "system");
  const conversation = messages.filter(({ role }) => role !== "system");
  let modelAnswer: () => R | undefined = () => undefined;
  const { stack } = runs;
  const core: CallCore<"agent"> = async (invocation) => {
    const result = await callModel({ stack, run, call: invocation.call }, changed(invocation));
    modelAnswer = result.modelAnswer;
    invocation.respond(result.outcome.streaming ? { stream: result.outcome } : { value: await result.outcome.final() });
  };
  const around = runs.callAround(run);
  const outcome: Outcome<Delta, Reply> = await stack.call("agent", run, { messages: conversation }, core, around);
  return { outcome, modelAnswer: () => modelAnswer() };

  function changed({ request }: Invocation<"agent">): CallOptions {
    if (request.messages === conversation) return params;
    const history = { originals: params.prompt, messages };
    return { ...params, prompt: fromMessages(history, [...system, ...request.messages]) as CallOptions["prompt"] };
  }
}
