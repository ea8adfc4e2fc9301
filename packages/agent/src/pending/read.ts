import { isRecord } from "@suite/kit";
import { AgentError } from "../errors.js";
import { deepestState, nesting } from "./json.js";
import type { PendingState, UnsignedState } from "./state.js";

/** The number of characters reserved for the signature, which is added after measuring. */
const signatureLength = 512;

/**
 * Returns a checked JSON copy of a pending state. A copy, so that later changes to the caller's object have no effect.
 */
export function readPending(pending: unknown, maxBytes: number): PendingState {
  let text: string | undefined;
  try {
    text = JSON.stringify(pending);
  } catch {
    throw invalid("it is not valid JSON");
  }
  if (text === undefined) throw invalid("it is not an object");
  if (text.length > maxBytes) throw invalid(`it is longer than ${maxBytes} characters`);
  if (nesting(text) > deepestState) throw invalid(`it is nested more than ${deepestState} deep`);
  const state: unknown = JSON.parse(text);
  if (!isState(state)) throw invalid("a field is missing, or of the wrong type");
  if (state.version !== 1) throw invalid("it was written by another version");
  return state;
}

/**
 * Returns a JSON copy of a state. Throws if the copy could not be read again.
 *
 * @throws AgentError `ERR_AGENT_PENDING_TOO_LARGE`
 */
export function writePending(state: UnsignedState, maxBytes: number): UnsignedState {
  let text: string;
  try {
    text = JSON.stringify(state);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(`is nested more than ${deepestState} deep`);
    throw error;
  }
  if (nesting(text) > deepestState) throw tooLarge(`is nested more than ${deepestState} deep`);
  if (text.length + signatureLength > maxBytes) {
    throw tooLarge(`has ${text.length} characters, and resume.maxBytes allows ${maxBytes}, the signature included`);
  }
  return JSON.parse(text) as UnsignedState;
}

const tooLarge = (why: string): AgentError =>
  new AgentError(
    "ERR_AGENT_PENDING_TOO_LARGE",
    `The run cannot be suspended: its pending state ${why}, so it could not be resumed. Shorten the history, or raise the limit.`,
  );

/** Checks the shape only. The signature proves the content. */
function isState(value: unknown): value is PendingState {
  return (
    isRecord(value) &&
    typeof value.version === "number" &&
    ["id", "runId", "agent"].every((field) => typeof value[field] === "string") &&
    ["createdAt", "expiresAt", "round"].every((field) => typeof value[field] === "number") &&
    ["messages", "calls", "done"].every((field) => Array.isArray(value[field])) &&
    isRecord(value.durable) &&
    isRecord(value.signature) &&
    typeof value.signature.kid === "string" &&
    typeof value.signature.mac === "string"
  );
}

export const invalid = (why: string): AgentError =>
  new AgentError("ERR_AGENT_PENDING_INVALID", `This is not a pending state that can be resumed here: ${why}.`);
