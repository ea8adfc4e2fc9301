import { decide } from "./decide.js";
import { argumentsOf, bind } from "./digest.js";
import { Ledger, type LedgerOptions } from "./ledger.js";
import type { PendingApproval, PersonDecision, StoredDecision } from "./records.js";
import { checkNames, invalid, isObject } from "./rules.js";

/** The fields of a suspended run of `@suite/agent` that are used here. */
export interface SuspendedRun {
  readonly runId: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly reason: string;
    readonly digest: string;
  }[];
  readonly durable?: Readonly<Record<string, unknown>>;
}

/** A decision in the form of `@suite/agent`: `agent.run({ pending, decisions })`. */
export type AgentDecision = { readonly id: string; readonly digest: string; readonly by?: string } & (
  | { readonly type: "approve"; readonly arguments?: unknown }
  | { readonly type: "reject"; readonly message?: string }
  | { readonly type: "respond"; readonly response: unknown }
);

/** The interface for people who decide on requests. Works in any process that shares the store. */
export interface Approvals {
  /** Returns the request with this id, or `undefined` if it does not exist or has expired. */
  get(id: string): Promise<PendingApproval | undefined>;
  /** Returns the decision on a request, or `undefined` if there is none yet. */
  decision(id: string): Promise<StoredDecision | undefined>;
  /**
   * Stores a person's decision. Only the first decision on a request counts.
   *
   * @throws {ApprovalError} `ERR_APPROVAL_UNKNOWN`, `ERR_APPROVAL_EXPIRED`, `ERR_APPROVAL_NOT_ALLOWED`,
   *   `ERR_APPROVAL_DECIDED`
   */
  decide(id: string, decision: PersonDecision): Promise<PendingApproval>;
  /** Returns the decisions made so far on the calls of a suspended run of `@suite/agent`, to resume it. */
  decisions(pending: SuspendedRun): Promise<readonly AgentDecision[]>;
  /**
   * Revokes an "always" grant: for a tool in a session, or for its calls with this scope (the value of the rule's
   * `per`).
   */
  /** Removes the requests of a user and their decisions. Returns the number of requests. */
  forgetUser(user: string): Promise<number>;
  revoke(grant: { readonly sessionId: string; readonly toolName: string; readonly scope?: string }): Promise<void>;
}

/**
 * Opens the requests in a store, for an application in which people decide.
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
    decisions: (pending) => decisionsOn(ledger, pending),
    forgetUser: (user) => ledger.forgetUser(user),
    revoke: ({ sessionId, toolName, scope = "" }) => ledger.revoke({ session: sessionOf(sessionId), toolName, scope }),
  };
}

/** Returns the scope of an "always" grant for a session. */
export const sessionOf = (sessionId: string): string => `session:${sessionId}`;

/** @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
export function ledgerOf(of: string, options: LedgerOptions): Ledger {
  if (!isObject(options)) throw invalid(`${of} takes an object of options.`);
  options = checkNames(of, options, { store: true, keys: true });
  checkStore(of, options.store);
  return new Ledger(options);
}

/** @throws {ApprovalError} `ERR_APPROVAL_OPTION` */
export function checkStore(of: string, store: unknown): void {
  if (store === undefined || (isObject(store) && ["get", "compareAndSet", "claim"].every((name) => name in store))) {
    return;
  }
  throw invalid(`The option store of ${of} must be a StateStore, such as memoryStateStore().`);
}

async function decisionsOn(ledger: Ledger, pending: SuspendedRun): Promise<readonly AgentDecision[]> {
  const found = await Promise.all(
    pending.calls.map(async (call) => {
      if (call.reason !== "approval") return [];
      const { runId, id: toolCallId } = callIn(pending, call.id);
      const bound = await bind({ runId, toolName: call.name, toolCallId, arguments: argumentsOf(call.arguments) });
      const decision = await ledger.decision(bound.id);
      if (decision === undefined || decision.digest !== bound.digest || decision.expiresAt <= Date.now()) return [];
      return [agentDecision(call, decision)];
    }),
  );
  return found.flat();
}

/**
 * Returns the run of a call, and the call's id in that run. Ids of a sub-agent's calls are prefixed with the call that
 * started it.
 */
function callIn(pending: SuspendedRun, id: string): { readonly runId: string; readonly id: string } {
  const cut = id.indexOf("/");
  const held = pending.durable?.["agent.inner"];
  const inner = isObject(held) && cut > 0 ? held[id.slice(0, cut)] : undefined;
  if (!isObject(inner) || typeof inner.runId !== "string") return { runId: pending.runId, id };
  return callIn(inner as unknown as SuspendedRun, id.slice(cut + 1));
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
