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
    throw new AgentError("ERR_AGENT_DECISION_MISMATCH", "Give the decisions as a list, as in [approve(call)].");
  }
  const waiting = new Map(calls.map((call) => [call.id, call]));
  const matched = new Map<string, Decision>();
  for (const decision of decisions as readonly Decision[]) {
    const call = waiting.get(decision?.id);
    if (call === undefined) {
      throw new AgentError(
        "ERR_AGENT_DECISION_UNKNOWN_CALL",
        `No call with the id ${show(decision?.id)} waits. Waiting: ${[...waiting.keys()].map(show).join(", ")}.`,
      );
    }
    if (matched.has(call.id))
      throw new AgentError("ERR_AGENT_DECISION_MISMATCH", `Two decisions name the call ${show(call.id)}.`);
    if (decision.digest !== call.digest) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The decision on ${show(call.id)} was made on another name or other arguments: its digest differs.`,
      );
    }
    if (!allowed[call.reason].includes(decision.type)) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The call ${show(call.id)} waits for ${call.reason}; "${show(decision.type)}" does not settle it. Possible: ${allowed[call.reason].join(", ")}.`,
      );
    }
    checkAllowed(call, decision);
    if (decision.type === "result" && !areTimes(decision)) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The result of ${show(call.id)} tells when it ran, but not in milliseconds since the epoch. Leave the times out, or give numbers.`,
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
  throw notAllowed(`The call ${show(id)} does not take the decision "${kind}". It takes: ${decisions.join(", ")}.`);
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
    const given = (decision as { readonly [field]?: unknown })[field];
    if (given === undefined) continue;
    const copy = jsonCopy(given);
    if (copy === undefined) {
      throw new AgentError(
        "ERR_AGENT_DECISION_MISMATCH",
        `The ${field} of the decision on ${show(decision.id)} cannot be written as JSON, or are nested too deep.`,
      );
    }
    values[field] = copy.value;
  }
  return { ...decision, ...values };
}

const areTimes = ({ startedAt = 0, endedAt = 0 }: RunTimes): boolean =>
  Number.isFinite(startedAt) && Number.isFinite(endedAt);
