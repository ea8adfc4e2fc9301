import type { FrameworkRuns } from "@suite/core/framework";
import {
  type AgentLike,
  type AnyResult,
  type AnyStreamed,
  isState,
  type Run,
  type RunnerLike,
  type RunOptions,
} from "../framework.js";
import { warnOfSdkTracing } from "../own-telemetry.js";
import { direct } from "./direct.js";
import { patchAgent, patchModel, patchPendingTools, patchProvider } from "./patch.js";
import { runWithoutStreaming } from "./plain.js";
import { noteSessionId, sessionIdOf } from "./session.js";
import { streamed } from "./streamed.js";
import { Turn } from "./turn.js";

/** Replaces a runner's `run`: a run through the layers, inside the run of the calling code. */
export async function runThrough(
  runs: FrameworkRuns,
  runner: RunnerLike,
  original: Run,
  agent: AgentLike,
  input: unknown,
  options: RunOptions = {},
): Promise<AnyResult | AnyStreamed> {
  warnOfSdkTracing(runner.config);
  if (looksInside(runs)) {
    patchAgent(agent);
    patchModel(runner.config.model);
    patchProvider(runner.config.modelProvider);
    if (isState(input)) patchPendingTools(input, runs);
  }
  const known = sessionIdOf(runner, options);
  const sessionId = typeof known === "object" ? await known : known;
  const turn = Turn.begin(runs, { runner, original, agent, input, options }, sessionId);
  if (typeof known === "object") noteSessionId(turn.run, options, sessionId);
  if (!runs.stack.has.agent) return direct(turn);
  return options.stream === true ? streamed(turn) : runWithoutStreaming(turn);
}

/** True if a plugin needs calls inside of a run. Otherwise the SDK's models and tools are not patched. */
const looksInside = ({ stack: { has, plugins } }: FrameworkRuns): boolean =>
  has.agent ||
  has.model ||
  has.reasoning ||
  has.tool ||
  has.approval ||
  plugins.some((plugin) => plugin.systemPrompt !== undefined || plugin.tools !== undefined);
