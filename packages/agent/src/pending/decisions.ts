import { AgentError } from "../errors.js";
import type { PendingCall, PendingState } from "./state.js";

/** The times of a tool that ran elsewhere, in milliseconds since the epoch. */
export interface RunTimes {
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** A decision of a person, or a result that came back from elsewhere. Bound to its call by id and digest. */
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

/** A suspended run that is to go on. */
export interface Resumption {
  readonly pending: PendingState;
  readonly decisions: readonly Decision[];
}

const bound = ({ id, digest }: PendingCall) => ({ id, digest });

/** A call may run. An edit: with these `arguments` in place of the model's, or of another `tool`, or both. */
export const approve = (
  call: PendingCall,
  options: { readonly tool?: string; readonly arguments?: unknown; readonly by?: string } = {},
): Decision => ({
  ...bound(call),
  type: "approve",
  ...options,
});

/** A call must not run; the model is told so, with the message if there is one. */
export const reject = (call: PendingCall, message?: string, options: { readonly by?: string } = {}): Decision => ({
  ...bound(call),
  type: "reject",
  ...(message !== undefined && { message }),
  ...options,
});

/** A person's response in place of an approval: it is the tool's result, and the tool is not run. */
export const respond = (call: PendingCall, response: unknown, options: { readonly by?: string } = {}): Decision => ({
  ...bound(call),
  type: "respond",
  response,
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

/** A person's answer to a question, of the model or of a tool that asked while it ran. */
export const answer = (call: PendingCall, response: unknown, options: { readonly by?: string } = {}): Decision => ({
  ...bound(call),
  type: "answer",
  response,
  ...options,
});

/** A call is cancelled: nobody waits for it any longer. */
export const cancel = (call: PendingCall, message?: string): Decision => ({
  ...bound(call),
  type: "cancel",
  ...(message !== undefined && { message }),
});

/** The error about a decision that cannot be taken. */
export const notAllowed = (message: string): AgentError => new AgentError("ERR_AGENT_DECISION_NOT_ALLOWED", message);

/** An id, which comes from outside: short, and quoted. */
export const show = (id: unknown): string => JSON.stringify(String(id).slice(0, 100));
