import type { PluginStack, Run } from "@suite/core/adapter";
import type { AgentInfo } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import type { LanguageModel } from "ai";
import type { Settings } from "../framework.js";
import { PromptReader } from "../messages/prompt.js";
import { layeredModel } from "../model/layered.js";
import { modelCallsWithin } from "../model/model-calls.js";
import { resolveModel } from "../model/resolve.js";
import { mayWait } from "../tool/waiting.js";
import type { Prepare } from "./prepare.js";
import { watchReaders } from "./readers.js";

/** Hooks that change a turn or its tools. */
const turnHooks = ["agent", "tool", "humanInput", "tools", "approval"] as const;
/** Hooks that change the request to a model, or its answer. */
export const modelHooks = ["reasoning", "model", "systemPrompt"] as const;

/**
 * Returns true if a call needs only a run around it. No plugin has a hook for more than the model, none of its tools
 * may wait, and it does not resume a suspended run. The framework is called directly then.
 */
export function isDirect(stack: PluginStack, { tools = {}, toolApproval, prompt, messages }: Settings): boolean {
  if (stack.hasAny(turnHooks) || toolApproval) return false;
  const history = Array.isArray(prompt) ? prompt : messages;
  if (Array.isArray(history) && history.at(-1)?.role === "tool") return false;
  for (const name of Object.keys(tools)) if (mayWait(tools[name], undefined, name)) return false;
  return true;
}

/** A direct call of the framework: its runs, settings and agent. */
export interface Direct {
  readonly runs: FrameworkRuns;
  readonly settings: Settings;
  readonly agent: AgentInfo | undefined;
}

/** Makes a direct call for a complete answer, in a run that ends with it. */
export function generateDirect<R>(direct: Direct, call: (prepare: Prepare) => PromiseLike<R>): Promise<R> {
  let run: Run | undefined;
  const end = (): Promise<void> | undefined => run?.finish();
  const failed = (error: unknown): Promise<never> => {
    run?.failed(error);
    const ended = end();
    return ended === undefined ? Promise.reject(error) : ended.then(() => Promise.reject(error));
  };
  try {
    run = beginDirect(direct);
    const answer = called(direct, run, call) as Promise<R>;
    return answer.then((result) => end()?.then(() => result) ?? result, failed);
  } catch (error) {
    return failed(error);
  }
}

/**
 * Makes a direct call for a streamed answer. Its run ends when the stream was read to its end or all readers have
 * stopped.
 */
export function streamDirect<R extends object | PromiseLike<object>>(direct: Direct, call: (prepare: Prepare) => R): R {
  const run = beginDirect(direct);
  const over = (): void => void run.finish();
  const watched = <T extends object>(result: T): T => {
    watchReaders(result, { ended: over, stopped: over });
    return result;
  };
  const failed = (error: unknown): never => {
    run.failed(error);
    over();
    throw error;
  };
  try {
    const result = called(direct, run, call);
    return isPromise(result) ? (result.then(watched, failed) as R) : watched(result);
  } catch (error) {
    return failed(error);
  }
}

const beginDirect = ({ runs, settings, agent }: Direct): Run => runs.begin({ signal: settings.abortSignal, agent });

const called = <R>({ runs }: Direct, run: Run, call: (prepare: Prepare) => R): R =>
  runs.inside(run, "agent", () => call((settings) => prepared(runs, run, settings)));

/** Returns the settings of the call. They are unchanged unless a hook needs the model. */
function prepared<S extends Settings>(runs: FrameworkRuns, run: Run, settings: S): S {
  const { stack } = runs;
  if (!stack.hasAny(modelHooks)) return settings;
  const calls = modelCallsWithin({ stack, run, call: runs.callAround(run), prompts: new PromptReader() });
  const wrapped = (model: LanguageModel): LanguageModel => layeredModel(resolveModel(model), calls);
  const userPrepareStep = settings.prepareStep ?? settings.experimental_prepareStep;
  const prepareStep: Settings["prepareStep"] = async (options) => {
    const step = await userPrepareStep?.(options);
    return step?.model === undefined ? step : { ...step, model: wrapped(step.model) };
  };
  return {
    ...settings,
    model: wrapped(settings.model),
    ...(userPrepareStep !== undefined && { prepareStep }),
    // Text that has been passed on cannot be retracted.
    ...(settings.streamRetries !== undefined && { streamRetries: undefined }),
  };
}

export const isPromise = (value: unknown): value is Promise<object> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
