import { type RuntimeContext, stateKey } from "@suite/core";
import type { ApprovalNotification } from "@suite/core/contract";

/** The decisions on this run's tool calls, by tool call id. They are kept until the span of the call is created. */
const decisions = stateKey("tracing.approvals", () => new Map<string, string>());

/** Keeps a decision for the span of its call. */
export const noteDecision = (runtime: RuntimeContext, { toolCallId, decision }: ApprovalNotification): void => {
  runtime.get(decisions).set(toolCallId, decision);
};

/**
 * Returns and removes the decision on a tool call. Returns `undefined` if it is absent. It is removed because models
 * reuse ids for later calls.
 */
export function takeDecision(runtime: RuntimeContext, toolCallId: string): string | undefined {
  const pending = runtime.get(decisions);
  const decision = pending.get(toolCallId);
  pending.delete(toolCallId);
  return decision;
}
