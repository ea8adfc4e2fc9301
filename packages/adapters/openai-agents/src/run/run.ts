import type { FrameworkRuns } from "@suite/core/framework";
import { reachAgent, reachModel, reachPendingTools, reachProvider } from "../attach/reach.js";
import {
  type AgentLike,
  type AnyResult,
  type AnyStreamed,
  isState,
  type Run,
  type RunnerLike,
  type RunOptions,
} from "../framework.js";
import { warnOfOwnTracing } from "../own-tracing.js";
import { streamed } from "./streamed.js";
import { Turn } from "./turn.js";
import { whole } from "./whole.js";

/** In place of a runner's `run`: a run through the layers, within the one that the calling code is in. */
export async function runThrough(
  runs: FrameworkRuns,
  runner: RunnerLike,
  original: Run,
  agent: AgentLike,
  input: unknown,
  options: RunOptions = {},
): Promise<AnyResult | AnyStreamed> {
  warnOfOwnTracing(runner.config);
  reachAgent(agent);
  reachModel(runner.config.model);
  reachProvider(runner.config.modelProvider);
  if (isState(input)) reachPendingTools(input);
  const turn = await Turn.begin(runs, { runner, original, agent, input, options });
  return options.stream === true ? streamed(turn) : whole(turn);
}
