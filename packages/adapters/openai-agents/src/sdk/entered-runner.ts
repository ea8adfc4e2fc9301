import type { CallId } from "@suite/core";
import type { AgentLike, RunnerLike } from "../framework.js";

const runners = new WeakMap<CallId, { readonly runner: RunnerLike; readonly agent: AgentLike }>();

/** Stores the runner and the agent of an agent call that starts the SDK. */
export const noteEntered = (call: CallId, runner: RunnerLike, agent: AgentLike): void =>
  void runners.set(call, { runner, agent });

/** True if this is the call's start of the SDK: a class that extends the SDK's runner calls its `run` in the end. */
export function hasEntered(call: CallId, runner: RunnerLike, agent: AgentLike): boolean {
  const by = runners.get(call);
  return by !== undefined && by.runner === runner && by.agent === agent;
}
