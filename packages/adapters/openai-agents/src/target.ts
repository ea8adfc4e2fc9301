import type * as agents from "@openai/agents";
import type { PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import type { Run, RunnerLike } from "./framework.js";
import { patchRunners, runsOf } from "./run/patch.js";
import { runThrough } from "./run/run.js";
import { originalOf } from "./sdk/stand-in.js";
import { toolFactory } from "./tool/factory.js";

/** The SDK module: `import * as agents from "@openai/agents"`. */
export interface AgentsModule {
  readonly run: typeof agents.run;
  readonly Runner: typeof agents.Runner;
  readonly tool: typeof agents.tool;
}

export const isModule = (target: object): target is AgentsModule =>
  "run" in target && "Runner" in target && typeof target.Runner === "function" && "tool" in target;

export const isRunner = (target: object): target is agents.Runner =>
  isRecord(target) && typeof target.run === "function" && isRecord(target.config);

/** Returns the module with a `run`, `Runner` and `tool` that use the layers. Everything else is unchanged. */
export function wrapModule<M extends AgentsModule>(module: M, stack: PluginStack): M {
  const runs = new FrameworkRuns(stack);
  patchRunners(module.Runner.prototype, runThrough);
  // It shares the SDK's prototype, so `construct` registers the runners of this module.
  const Runner: typeof agents.Runner = new Proxy(module.Runner, {
    construct(target, args, newTarget) {
      const runner: agents.Runner = Reflect.construct(target, args, newTarget === Runner ? target : newTarget);
      runsOf.set(runner, runs);
      return runner;
    },
  });
  let standard: RunnerLike | undefined;
  const run = (...args: Parameters<Run>): ReturnType<Run> => {
    standard ??= new Runner() as unknown as RunnerLike;
    return standard.run(...args);
  };
  return { ...module, run, Runner, tool: toolFactory(module.tool) };
}

/** Returns a runner whose runs pass through the layers. The original is unchanged. */
export function wrapRunner<R extends agents.Runner>(runner: R, stack: PluginStack): R {
  patchRunners(runner, runThrough);
  const like = runner as unknown as RunnerLike;
  // A runner of a wrapped module keeps the module's plugins.
  const known = runsOf.get(runner);
  const runs = new FrameworkRuns(known === undefined ? stack : known.stack.append(stack.plugins, stack.identify));
  // The replaced function would begin another run within this one.
  const originalRun = originalOf(like.run);
  const run = (...args: Parameters<Run>): ReturnType<Run> => runThrough(runs, like, originalRun, ...args);
  return new Proxy(runner, {
    get(target, name) {
      if (name === "run") return run;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
