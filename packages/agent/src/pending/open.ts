import { AgentError } from "../errors.js";
import { type Decision, matchDecisions } from "./decisions.js";
import type { KeyRing } from "./keys.js";
import type { PendingState } from "./state.js";
import type { ResumeStore } from "./store.js";

/** A suspended run that is to go on. */
export interface Resumption {
  readonly pending: PendingState;
  readonly decisions: readonly Decision[];
}

/** A resumption that was found good, and is used up. */
export interface Resumed {
  readonly state: PendingState;
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** What a pending state must fit. */
export interface Expected {
  readonly agent: string;
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  readonly keys: KeyRing;
  readonly store: ResumeStore;
  readonly maxBytes: number;
}

/**
 * Checks a resumption, and claims its state. Whatever is refused before the claim is not used up: the state can be
 * resumed again, with better decisions.
 *
 * @throws AgentError with one of the `ERR_PENDING_…` and `ERR_DECISION_…` codes.
 */
export async function openPending({ pending, decisions }: Resumption, expected: Expected): Promise<Resumed> {
  const state = copied(pending, expected.maxBytes);
  await expected.keys.verify(state);
  if (state.agent !== expected.agent) throw invalid(`it is of the agent ${JSON.stringify(state.agent)}`);
  for (const field of ["sessionId", "userId"] as const) {
    if (expected[field] !== undefined && expected[field] !== state[field]) throw invalid(`it is of another ${field}`);
  }
  if (state.expiresAt < Date.now()) {
    throw new AgentError(
      "ERR_PENDING_EXPIRED",
      `The pending state expired at ${new Date(state.expiresAt).toISOString()}.`,
    );
  }
  const matched = matchDecisions(state.calls, decisions);
  if (!(await expected.store.claim(state.id, state.expiresAt))) {
    throw new AgentError("ERR_PENDING_USED", "This pending state was resumed before. Use the newest state of its run.");
  }
  return { state, decisions: matched };
}

/** A copy as JSON has it: what is checked is what is used, whatever the caller's object does meanwhile. */
function copied(pending: unknown, maxBytes: number): PendingState {
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
    isObject(value.usage) &&
    isObject(value.durable) &&
    isObject(value.signature) &&
    typeof value.signature.kid === "string" &&
    typeof value.signature.mac === "string"
  );
}

const invalid = (why: string): AgentError =>
  new AgentError("ERR_PENDING_INVALID", `This is not a pending state that can be resumed here: ${why}.`);
