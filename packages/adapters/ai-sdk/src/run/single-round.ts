import type { Delta, Invocation, Outcome, Reply } from "@suite/core";
import type { CallCore, Run, RunOptions } from "@suite/core/adapter";
import type { FrameworkRuns } from "@suite/core/framework";
import type { CallOptions, Model, StreamResult } from "../framework.js";
import { fromMessages } from "../messages/from-neutral.js";
import { toMessage } from "../messages/to-neutral.js";
import { type Asked, askStream, askWhole, resultOf, type Within } from "../model/ask.js";
import type { ModelCalls } from "../model/layered.js";
import { serveAsk } from "../model/plugin-ask.js";
import { streamOf } from "../model/streams.js";
import { modelHooks } from "./direct.js";
import { whenPiped } from "./piped.js";

/**
 * A model whose every call is a whole turn: for what asks once and runs no tools, as `generateObject` does. What the
 * framework tries again is another turn.
 */
export function singleRound(runs: FrameworkRuns, options: RunOptions): ModelCalls {
  return runs.stack.hasAny(["agent", ...modelHooks]) ? layeredRound(runs, options) : directRound(runs, options);
}

/** An `ModelCalls` of the model itself, in a run that ends with its answer. */
const directRound = (runs: FrameworkRuns, options: RunOptions): ModelCalls => ({
  async generate(model, params) {
    const run = runs.begin(options);
    try {
      return await runs.inside(run, "agent", () => model.doGenerate(params));
    } catch (error) {
      run.failed(error);
      throw error;
    } finally {
      const ended = run.finish();
      if (ended !== undefined) await ended;
    }
  },
  async stream(model, params) {
    const run = runs.begin(options);
    const over = (): void => void run.finish();
    try {
      const result = await runs.inside(run, "agent", () => model.doStream(params));
      whenPiped(result.stream, over, over);
      return result;
    } catch (error) {
      run.failed(error);
      over();
      throw error;
    }
  },
});

/** An `ModelCalls` through all layers, in a run that ends with the answer. */
function layeredRound(runs: FrameworkRuns, options: RunOptions): ModelCalls {
  const begin = (model: Model, { headers }: CallOptions): Run => {
    const run = runs.begin(options);
    serveAsk(run, runs.stack, () => ({ model, headers }));
    return run;
  };
  return {
    async generate(model, params) {
      const run = begin(model, params);
      try {
        const { outcome, given } = await inAgent(run, runs, params, (within, asked) => askWhole(within, model, asked));
        return resultOf(given(), await outcome.final());
      } finally {
        await run.end();
      }
    },
    async stream(model, params) {
      const run = begin(model, params);
      try {
        const { outcome, given } = await inAgent(run, runs, params, (within, asked) => askStream(within, model, asked));
        void outcome.settled.then(() => run.end());
        const stream = streamOf(outcome, given()?.source);
        return { ...given()?.result, stream } as StreamResult;
      } catch (error) {
        await run.end();
        throw error;
      }
    },
  };
}

/** Runs the agent layers round one round. */
async function inAgent<R>(
  run: Run,
  runs: FrameworkRuns,
  params: CallOptions,
  ask: (within: Within, params: CallOptions) => Promise<Asked<R>>,
): Promise<Asked<R>> {
  const messages = params.prompt.map(toMessage);
  const system = messages.filter(({ role }) => role === "system");
  const said = messages.filter(({ role }) => role !== "system");
  let given: () => R | undefined = () => undefined;
  const { stack } = runs;
  const core: CallCore<"agent"> = async (invocation) => {
    const asked = await ask({ stack, run, call: invocation.call }, changed(invocation));
    given = asked.given;
    invocation.respond(asked.outcome.streaming ? { stream: asked.outcome } : { value: await asked.outcome.final() });
  };
  const around = runs.callAround(run);
  const outcome: Outcome<Delta, Reply> = await stack.call("agent", run, { messages: said }, core, around);
  return { outcome, given: () => given() };

  function changed({ request }: Invocation<"agent">): CallOptions {
    if (request.messages === said) return params;
    const history = { originals: params.prompt, messages };
    return { ...params, prompt: fromMessages(history, [...system, ...request.messages]) as CallOptions["prompt"] };
  }
}
