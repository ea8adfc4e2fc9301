import type { ApprovalDecision } from "@suite/core/contract";
import { AgentError } from "../errors.js";
import { type Decision, notAllowed, type RunTimes, show } from "../pending/decisions.js";
import { jsonCopy } from "../pending/json.js";
import type { PendingCall } from "../pending/state.js";

const allowed: Record<PendingCall["reason"], readonly Decision["type"][]> = {
  approval: ["approve", "reject", "respond", "cancel"],
  external: ["result", "cancel"],
  input: ["answer", "cancel"],
};

/**
 * Returns the decisions by call id, checked against the waiting calls. Some may be missing: the run then waits for the
 * rest.
 *
 * @throws AgentError `ERR_AGENT_DECISION_UNKNOWN_CALL`, `ERR_AGENT_DECISION_MISMATCH` or
 * `ERR_AGENT_DECISION_NOT_ALLOWED`. The state is not used then.
 */
export function matchDecisions(
  calls: readonly PendingCall[],
  decisions: readonly Decision[],
): ReadonlyMap<string, Decision> {
  if (!Array.isArray(decisions)) {
    throw new AgentError("ERR_AGENT_DECISION_MISMATCH", "Pass the decisions as an array, for example [approve(call)].");
  }
  const waiting = new Map(calls.map((call) => [call.id, call]));
  const matched = new Map<string, Decision>();
  for (const decision of decisions as readonly Decision[]) {
    const call = waiting.get(decision?.id);
    if (call === undefined) {
      throw new AgentError(
        "ERR_AGENT_DECISION_UNKNOWN_CALL",
        `No call with the id ${show(decision?.id)} is waiting. Waiting calls: ${[...waiting.keys()].map(show).join(", ")}.`,
      );
    }
    if (matched.has(call.id))
      throw new AgentError("ERR_AGENT_DECISION_MISMATCH", `There are two decisions for the call ${show(call.id)}.`);
    if (decision.digest !== call.digest) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The decision on ${show(call.id)} was made for another tool name or other arguments: its digest differs.`,
      );
    }
    if (!allowed[call.reason].includes(decision.type)) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The call ${show(call.id)} waits for ${call.reason}; a "${show(decision.type)}" decision cannot settle it. Possible: ${allowed[call.reason].join(", ")}.`,
      );
    }
    checkAllowed(call, decision);
    if (decision.type === "result" && !areTimes(decision)) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The result of ${show(call.id)} contains times that are not milliseconds since the epoch. Remove the times, or pass numbers.`,
      );
    }
    matched.set(call.id, copied(decision));
  }
  return matched;
}

/** @throws AgentError `ERR_AGENT_DECISION_NOT_ALLOWED` */
function checkAllowed({ id, decisions }: PendingCall, decision: Decision): void {
  const kind = approvalDecisionOf(decision);
  if (kind === undefined || decisions === undefined || decisions.includes(kind)) return;
  throw notAllowed(`The call ${show(id)} does not accept the decision "${kind}". It accepts: ${decisions.join(", ")}.`);
}

/**
 * Returns the kind of a decision on an approval, as in `decisions`. Returns `undefined` for other decisions, including
 * `cancel`, which is always allowed.
 */
function approvalDecisionOf(decision: Decision): ApprovalDecision | undefined {
  const { type } = decision;
  if (type === "approve") return decision.tool === undefined && decision.arguments === undefined ? type : "edit";
  return type === "reject" || type === "respond" ? type : undefined;
}

/**
 * Returns the decision with copies of the caller's values, so that the checked values are the ones that are used.
 *
 * @throws AgentError `ERR_AGENT_DECISION_MISMATCH`
 */
function copied(decision: Decision): Decision {
  const values: { arguments?: unknown; response?: unknown } = {};
  for (const field of ["arguments", "response"] as const) {
    const value = (decision as { readonly [field]?: unknown })[field];
    if (value === undefined) continue;
    const copy = jsonCopy(value);
    if (copy === undefined) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The ${field} of the decision on ${show(decision.id)} cannot be serialized as JSON, or are nested too deeply.`,
      );
    }
    values[field] = copy.value;
  }
  return { ...decision, ...values };
}

const areTimes = ({ startedAt = 0, endedAt = 0 }: RunTimes): boolean =>
  Number.isFinite(startedAt) && Number.isFinite(endedAt);
