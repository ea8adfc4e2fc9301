import { AgentError } from "../errors.js";
import { jsonCopy } from "./json.js";
import type { PendingCall } from "./state.js";

/** When a tool ran elsewhere, in milliseconds since the epoch. */
interface RunTimes {
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** What a person decided, or what came back from elsewhere. Bound to its call by id and digest. */
export type Decision = {
  readonly id: string;
  readonly digest: string;
} & (
  | { readonly type: "approve"; readonly arguments?: unknown; readonly by?: string }
  | { readonly type: "reject"; readonly message?: string; readonly by?: string }
  | ({ readonly type: "result"; readonly response: unknown; readonly isError?: boolean } & RunTimes)
  | { readonly type: "answer"; readonly response: unknown; readonly by?: string }
  | { readonly type: "cancel"; readonly message?: string }
);

const bound = ({ id, digest }: PendingCall) => ({ id, digest });

/** The call may run; with `arguments`, with these in place of the model's. */
export const approve = (
  call: PendingCall,
  options: { readonly arguments?: unknown; readonly by?: string } = {},
): Decision => ({
  ...bound(call),
  type: "approve",
  ...options,
});

/** The call must not run; the model is told so, with the message if there is one. */
export const reject = (call: PendingCall, message?: string, options: { readonly by?: string } = {}): Decision => ({
  ...bound(call),
  type: "reject",
  ...(message !== undefined && { message }),
  ...options,
});

/**
 * The result of a tool that ran elsewhere. `isError`: it failed, and the response is a short message for the model.
 * `startedAt` and `endedAt`, in milliseconds since the epoch, tell tracing when it ran; left out, that is taken to be all
 * the time from when the call was handed out until the result came, and what lies outside of it is cut off.
 */
export const result = (
  call: PendingCall,
  response: unknown,
  options: { readonly isError?: boolean } & RunTimes = {},
): Decision => ({
  ...bound(call),
  type: "result",
  response,
  ...options,
});

/** A person's answer to a question. */
export const answer = (call: PendingCall, response: unknown, options: { readonly by?: string } = {}): Decision => ({
  ...bound(call),
  type: "answer",
  response,
  ...options,
});

/** Nobody waits for this call any longer. */
export const cancel = (call: PendingCall, message?: string): Decision => ({
  ...bound(call),
  type: "cancel",
  ...(message !== undefined && { message }),
});

const allowed: Record<PendingCall["reason"], readonly Decision["type"][]> = {
  approval: ["approve", "reject", "cancel"],
  external: ["result", "cancel"],
  input: ["answer", "cancel"],
};

/**
 * Decisions by call id, checked against what waits. Some may be missing: the run then waits for the rest.
 *
 * @throws AgentError `ERR_DECISION_UNKNOWN_CALL` or `ERR_DECISION_MISMATCH`; nothing is used up by it.
 */
export function matchDecisions(
  calls: readonly PendingCall[],
  decisions: readonly Decision[],
): ReadonlyMap<string, Decision> {
  if (!Array.isArray(decisions)) {
    throw new AgentError("ERR_DECISION_MISMATCH", "Give the decisions as a list, as in [approve(call)].");
  }
  const waiting = new Map(calls.map((call) => [call.id, call]));
  const matched = new Map<string, Decision>();
  for (const decision of decisions as readonly Decision[]) {
    const call = waiting.get(decision?.id);
    if (call === undefined) {
      throw new AgentError(
        "ERR_DECISION_UNKNOWN_CALL",
        `No call with the id ${show(decision?.id)} waits. Waiting: ${[...waiting.keys()].map(show).join(", ")}.`,
      );
    }
    if (matched.has(call.id))
      throw new AgentError("ERR_DECISION_MISMATCH", `Two decisions name the call ${show(call.id)}.`);
    if (decision.digest !== call.digest) {
      throw new AgentError(
        "ERR_DECISION_MISMATCH",
        `The decision on ${show(call.id)} was made on another name or other arguments: its digest differs.`,
      );
    }
    if (!allowed[call.reason].includes(decision.type)) {
      throw new AgentError(
        "ERR_DECISION_MISMATCH",
        `The call ${show(call.id)} waits for ${call.reason}; "${show(decision.type)}" does not settle it. Possible: ${allowed[call.reason].join(", ")}.`,
      );
    }
    if (decision.type === "result" && !areTimes(decision)) {
      throw new AgentError(
        "ERR_DECISION_MISMATCH",
        `The result of ${show(call.id)} tells when it ran, but not in milliseconds since the epoch. Leave the times out, or give numbers.`,
      );
    }
    matched.set(call.id, copied(decision));
  }
  return matched;
}

/**
 * The decision with copies of what the caller gave: what is checked is what counts, and what the history shows.
 *
 * @throws AgentError `ERR_DECISION_MISMATCH`
 */
function copied(decision: Decision): Decision {
  const values: { arguments?: unknown; response?: unknown } = {};
  for (const field of ["arguments", "response"] as const) {
    const given = (decision as { readonly [field]?: unknown })[field];
    if (given === undefined) continue;
    const copy = jsonCopy(given);
    if (copy === undefined) {
      throw new AgentError(
        "ERR_DECISION_MISMATCH",
        `The ${field} of the decision on ${show(decision.id)} cannot be written as JSON, or are nested too deep.`,
      );
    }
    values[field] = copy.value;
  }
  return { ...decision, ...values };
}

const areTimes = ({ startedAt = 0, endedAt = 0 }: RunTimes): boolean =>
  Number.isFinite(startedAt) && Number.isFinite(endedAt);

/** Ids come from outside: short, and quoted. */
const show = (id: unknown): string => JSON.stringify(String(id).slice(0, 100));
