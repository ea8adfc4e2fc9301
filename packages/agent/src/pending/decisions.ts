import { any } from "@suite/kit/options";
import { type Checks, checkOptions } from "../check-options.js";
import { AgentError } from "../errors.js";
import type { PendingCall, PendingState } from "./state.js";

/** The times of a tool that ran elsewhere, in milliseconds since the epoch. */
export interface RunTimes {
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** A decision of a person, or the result of a tool that ran elsewhere. Bound to its call by id and digest. */
export type Decision = {
  readonly id: string;
  readonly digest: string;
} & (
  | { readonly type: "approve"; readonly tool?: string; readonly arguments?: unknown; readonly by?: string }
  | { readonly type: "reject"; readonly message?: string; readonly by?: string }
  | { readonly type: "respond"; readonly response: unknown; readonly by?: string }
  | ({ readonly type: "result"; readonly response: unknown; readonly isError?: boolean } & RunTimes)
  | { readonly type: "answer"; readonly response: unknown; readonly by?: string }
  | { readonly type: "cancel"; readonly message?: string }
);

/** A suspended run with the decisions to resume it. */
export interface Resumption {
  readonly pending: PendingState;
  readonly decisions: readonly Decision[];
}

const bound = ({ id, digest }: PendingCall) => ({ id, digest });

interface ApproveOptions {
  readonly tool?: string;
  readonly arguments?: unknown;
  readonly by?: string;
}

/** The option of all decisions that a person makes. */
const decisionChecks: Checks<{ readonly by?: string }> = { by: any };
const approveChecks: Checks<ApproveOptions> = { tool: any, arguments: any, ...decisionChecks };
const resultChecks: Checks<{ readonly isError?: boolean } & RunTimes> = { isError: any, startedAt: any, endedAt: any };

/** Approves a call. `arguments` replaces the model's arguments, and `tool` selects another tool. */
export function approve(call: PendingCall, options: ApproveOptions = {}): Decision {
  options = checkOptions("approve", options, approveChecks);
  return { ...bound(call), type: "approve", ...options };
}

/** Rejects a call. The model receives the message, if there is one. */
export function reject(call: PendingCall, message?: string, options: { readonly by?: string } = {}): Decision {
  options = checkOptions("reject", options, decisionChecks);
  return { ...bound(call), type: "reject", ...(message !== undefined && { message }), ...options };
}

/** Answers an approval with a response. It becomes the tool's result, and the tool does not run. */
export function respond(call: PendingCall, response: unknown, options: { readonly by?: string } = {}): Decision {
  options = checkOptions("respond", options, decisionChecks);
  return { ...bound(call), type: "respond", response, ...options };
}

/**
 * Returns the result of a tool that ran elsewhere.
 *
 * @param options `isError`: the tool failed, and the response is a short message for the model. `startedAt` and
 * `endedAt`: when the tool ran, in milliseconds since the epoch, for tracing. If left out, tracing uses the time from
 * handing out the call until the result arrived. Times outside of this are cut off.
 */
export function result(
  call: PendingCall,
  response: unknown,
  options: { readonly isError?: boolean } & RunTimes = {},
): Decision {
  options = checkOptions("result", options, resultChecks);
  return { ...bound(call), type: "result", response, ...options };
}

/** Answers a question of the model, or of a tool that asked during its execution. */
export function answer(call: PendingCall, response: unknown, options: { readonly by?: string } = {}): Decision {
  options = checkOptions("answer", options, decisionChecks);
  return { ...bound(call), type: "answer", response, ...options };
}

/** Cancels a call, so that the run no longer waits for it. */
export const cancel = (call: PendingCall, message?: string): Decision => ({
  ...bound(call),
  type: "cancel",
  ...(message !== undefined && { message }),
});

/** Creates the error for a decision that is not allowed. */
export const notAllowed = (message: string): AgentError => new AgentError("ERR_AGENT_DECISION_NOT_ALLOWED", message);

/** Shortens and quotes an id, which is untrusted input. */
export const show = (id: unknown): string => JSON.stringify(String(id).slice(0, 100));
