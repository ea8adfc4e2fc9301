import { isRecord } from "@suite/kit";
import { decide } from "./decide.js";
import { partsOf, type Question, questionOf } from "./front-ends/question.js";
import { Ledger, type LedgerOptions } from "./ledger.js";
import type { PendingApproval, PersonDecision, StoredDecision } from "./records.js";
import { checkNames, invalid } from "./rules.js";

/** The fields of a suspended run of `@suite/agent` that are used here. */
export interface SuspendedRun {
  readonly calls: readonly { readonly id: string; readonly reason: string; readonly digest: string }[];
}

/** A decision in the form of `@suite/agent`: `agent.run({ pending, decisions })`. */
export type AgentDecision = { readonly id: string; readonly digest: string; readonly by?: string } & (
  | { readonly type: "approve"; readonly arguments?: unknown }
  | { readonly type: "reject"; readonly message?: string }
  | { readonly type: "respond"; readonly response: unknown }
);

/** Names the "always" grants to revoke. */
export interface RevokedGrant {
  readonly sessionId: string;
  readonly userId?: string;
  readonly toolName: string;
  readonly scope?: string;
}

/** The interface for people who decide on requests. Works in any process that shares the store. */
export interface Approvals {
  /** Returns the request with this id, or `undefined` if it does not exist or has expired. */
  get(id: string): Promise<PendingApproval | undefined>;
  /** Returns the decision on a request, or `undefined` if it does not exist yet. */
  decision(id: string): Promise<StoredDecision | undefined>;
  /**
   * Stores a person's decision. Only the first decision on a request counts.
   *
   * @throws {ApprovalError} `ERR_APPROVAL_UNKNOWN`, `ERR_APPROVAL_EXPIRED`, `ERR_APPROVAL_NOT_ALLOWED`,
   *   `ERR_APPROVAL_DECIDED`
   */
  decide(id: string, decision: PersonDecision): Promise<PendingApproval>;
  /**
   * Stores the answer of a front end: JSON of `answerWith()`. It names its question by the digest of the call, so it
   * applies to exactly this call. Only the first answer counts, until the question expires.
   *
   * @param options `by`: the person, as the server knows them.
   * @throws {ApprovalError} as `decide()`, and `ERR_APPROVAL_NOT_ALLOWED` if it is not an answer
   */
  answer(answer: unknown, options?: { readonly by?: string }): Promise<PendingApproval>;
  /** Returns the open questions of a suspended run of `@suite/agent`, for a front end. */
  questions(pending: SuspendedRun): Promise<readonly Question[]>;
  /** Returns the decisions made so far on the calls of a suspended run of `@suite/agent`, to resume it. */
  decisions(pending: SuspendedRun): Promise<readonly AgentDecision[]>;
  /**
   * Removes the requests of a user, the decisions on them, and the user's "always" grants. Returns the number of
   * requests.
   */
  forgetUser(user: string): Promise<number>;
  /**
   * Revokes "always" grants for a tool in a session: of one user, or of all users if `userId` is not set. `scope` is
   * the string that `per` of the rule returned.
   */
  revoke(grant: RevokedGrant): Promise<void>;
}

/**
 * Opens the requests in a store, for an application whose users decide.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_OPTION`
 * @example
 * ```ts
 * const desk = approvals({ store: redisStateStore(client), keys });
 * await desk.decide(id, { decision: "approve", by: "ann" });
 * ```
 */
export function approvals(options: LedgerOptions = {}): Approvals {
  const ledger = ledgerOf("approvals()", options);
  return {
    get: (id) => ledger.request(id),
    decision: (id) => ledger.decision(id),
    decide: (id, decision) => decide(ledger, id, decision),
    async answer(input, { by } = {}) {
      const { id, decision } = partsOf(input);
      return decide(ledger, id, by === undefined ? decision : { ...decision, by });
    },
    questions: (pending) => questionsOn(ledger, pending),
    decisions: (pending) => decisionsOn(ledger, pending),
    forgetUser: (user) => ledger.forgetUser(user),
    revoke: ({ sessionId, scope = "", ...of }) => ledger.revoke({ session: sessionOf(sessionId), scope, ...of }),
  };
}

/** Returns the scope of an "always" grant for a session. */
export const sessionOf = (sessionId: string): string => `session:${sessionId}`;

/** @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
export function ledgerOf(of: string, options: LedgerOptions): Ledger {
  if (!isRecord(options)) throw invalid(`${of} takes an object of options.`);
  options = checkNames(of, options, { store: true, keys: true });
  checkStore(of, options.store);
  return new Ledger(options);
}

/** @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
export function checkStore(of: string, store: unknown): void {
  if (store === undefined || (isRecord(store) && ["get", "compareAndSet", "claim"].every((name) => name in store))) {
    return;
  }
  throw invalid(`The option store of ${of} must be a StateStore, such as memoryStateStore().`);
}

async function questionsOn(ledger: Ledger, pending: SuspendedRun): Promise<readonly Question[]> {
  const found = await Promise.all(
    pending.calls.map(async ({ reason, digest }) => {
      const request = reason === "approval" ? await ledger.request(digest) : undefined;
      if (request === undefined || request.expiresAt <= Date.now()) return [];
      return (await ledger.decision(digest)) === undefined ? [questionOf(request)] : [];
    }),
  );
  return found.flat();
}

async function decisionsOn(ledger: Ledger, pending: SuspendedRun): Promise<readonly AgentDecision[]> {
  const found = await Promise.all(
    pending.calls.map(async (call) => {
      const decision = call.reason === "approval" ? await ledger.decision(call.digest) : undefined;
      return decision === undefined || decision.expiresAt <= Date.now() ? [] : [agentDecision(call, decision)];
    }),
  );
  return found.flat();
}

function agentDecision({ id, digest }: { id: string; digest: string }, decision: StoredDecision): AgentDecision {
  const to = { id, digest, ...(decision.by !== undefined && { by: decision.by }) };
  switch (decision.decision) {
    case "approve":
      return { ...to, type: "approve" };
    case "edit":
      return { ...to, type: "approve", arguments: decision.arguments };
    case "reject":
      return { ...to, type: "reject", ...(decision.message !== undefined && { message: decision.message }) };
    case "respond":
      return { ...to, type: "respond", response: decision.response };
  }
}
