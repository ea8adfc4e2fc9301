import { type ApprovalNotification, type RuntimeContext, stateKey } from "@suite/core";

/** The decisions of people on this run's tool calls, by tool call id: the calls' own spans come later. */
const decisions = stateKey("tracing.approvals", () => new Map<string, string>());

/** Keeps a decision for the span of the call it is about. */
export const noteDecision = (runtime: RuntimeContext, { toolCallId, decision }: ApprovalNotification): void => {
  runtime.get(decisions).set(toolCallId, decision);
};

/** The decision on a tool call, if anybody was asked; once, since models give a later call the same id. */
export function takeDecision(runtime: RuntimeContext, toolCallId: string): string | undefined {
  const made = runtime.get(decisions);
  const decision = made.get(toolCallId);
  made.delete(toolCallId);
  return decision;
}
