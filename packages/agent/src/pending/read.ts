import { AgentError } from "../errors.js";
import type { PendingState } from "./state.js";

/** A copy as JSON has it: what is checked is what is used, whatever the caller's object does meanwhile. */
export function readPending(pending: unknown, maxBytes: number): PendingState {
  let text: string | undefined;
  try {
    text = JSON.stringify(pending);
  } catch {
    throw invalid("it is not plain JSON");
  }
  if (text === undefined) throw invalid("it is not an object");
  if (text.length > maxBytes) throw invalid(`it is longer than ${maxBytes} characters`);
  if (nesting(text) > deepest) throw invalid(`it is nested more than ${deepest} deep`);
  const state: unknown = JSON.parse(text);
  if (!isState(state)) throw invalid("a field is missing, or of the wrong type");
  if (state.version !== 1) throw invalid("it is of another version");
  return state;
}

/** Deeper values are no conversation's, and would overflow the stack of who walks them. */
const deepest = 500;

function nesting(json: string): number {
  let depth = 0;
  let most = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "{" || token === "[") most = Math.max(most, ++depth);
    else if (token === "}" || token === "]") depth--;
  }
  return most;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The shape alone; that the content is ours, the signature says. */
function isState(value: unknown): value is PendingState {
  return (
    isObject(value) &&
    typeof value.version === "number" &&
    ["id", "runId", "agent"].every((field) => typeof value[field] === "string") &&
    ["createdAt", "expiresAt", "round"].every((field) => typeof value[field] === "number") &&
    ["messages", "calls", "done"].every((field) => Array.isArray(value[field])) &&
    isObject(value.durable) &&
    isObject(value.signature) &&
    typeof value.signature.kid === "string" &&
    typeof value.signature.mac === "string"
  );
}

export const invalid = (why: string): AgentError =>
  new AgentError("ERR_PENDING_INVALID", `This is not a pending state that can be resumed here: ${why}.`);
