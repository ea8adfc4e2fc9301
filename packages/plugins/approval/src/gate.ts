import { type Awaitable, type RuntimeContext, signalOf, stateKey } from "@suite/core";
import type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "@suite/core/contract";
import { callDigest, canonical } from "@suite/kit/digest";
import { sessionOf } from "./approvals.js";
import { argumentsOf } from "./arguments.js";
import { decide } from "./decide.js";
import { ApprovalError, type ApprovalErrorCode } from "./errors.js";
import type { Ledger } from "./ledger.js";
import type { PendingApproval, PersonDecision, StoredDecision } from "./records.js";
import { type CallToApprove, requestOf, type Showing } from "./request.js";
import type { Rule } from "./rules.js";
import { fits } from "./schema.js";

/**
 * A way to ask a person. Returns the decision, or `undefined` if the person decides later; the run is then suspended.
 * If it throws, the request stays and the run is suspended.
 */
export type Ask = (
  request: PendingApproval,
  options: { readonly signal: AbortSignal },
) => Awaitable<PersonDecision | undefined>;

export interface GateOptions extends Showing {
  readonly name: string;
  readonly ruleFor: (tool: string) => Rule | undefined;
  readonly ledger: Ledger;
  readonly ways: readonly Ask[];
  readonly enforced: boolean;
}

/** The use of an approval by one attempt at a call. It covers another attempt if the tool failed by itself. */
interface Use {
  /** The ids of the covered requests. */
  readonly covers: readonly string[];
  /** The signal of the attempt. Undefined if the framework asked before the first attempt. */
  readonly attempt: AbortSignal | undefined;
  /** True if the attempt is known to have failed by itself. A cancelled attempt may have done its work. */
  failed: boolean;
}

/** The approvals that a run has used, by call id. */
export const heldKey = stateKey("approval.held", () => new Map<string, Use>());

type Answer = ApprovalRule | ApprovalVerdict | undefined;
type Word = "asked" | "not_delivered" | "decided" | "used" | "always" | "expired" | "refused" | "fail_closed";
type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** One call of a run, bound to its arguments. */
interface Held extends CallToApprove {
  readonly request: ApprovalRequest;
  /** The signal of the attempt that asks. Another attempt may begin while it waits. */
  readonly attempt: AbortSignal | undefined;
}

/** Guards tool calls: asks, accepts decisions, and uses each decision once. */
export class Gate {
  constructor(readonly options: GateOptions) {}

  async approval(request: ApprovalRequest, runtime: RuntimeContext): Promise<Answer> {
    const { approved, tool, input } = request;
    const attempt = request.call?.kind === "tool" ? signalOf(request.call) : undefined;
    const rule = this.options.ruleFor(approved?.tool ?? tool.name) ?? this.options.ruleFor(tool.name);
    if (rule === undefined) return undefined;
    const args = argumentsOf(approved === undefined ? input : approved.arguments);
    // The call shown to the person needed approval. It may be edited to one that does not.
    if (approved === undefined && (await rule.when?.(args, runtime)) === false) return undefined;
    const id = await idOf(request, runtime, approved?.tool ?? tool.name, args);
    const held: Held = { request, runtime, rule, args, attempt, id };
    if (!this.options.enforced) {
      if (approved === undefined) this.#notify(held, "asked");
      return undefined;
    }
    const use = runtime.get(heldKey).get(request.id);
    if (use !== undefined && covers(use, held)) {
      this.#hold(held, use.covers);
      return undefined;
    }
    try {
      return await this.#decide(held);
    } catch (error) {
      if (!ApprovalError.is(error)) this.#notify(held, "fail_closed");
      throw error;
    }
  }

  async #decide(held: Held): Promise<Answer> {
    const { request, id } = held;
    const { ledger } = this.options;
    const pending = await this.#verified(held, () => ledger.request(id));
    const decision = pending && (await this.#verified(held, () => ledger.decision(id)));
    if (pending !== undefined && decision !== undefined) return this.#use(held, pending, decision);
    if (pending !== undefined && pending.expiresAt <= Date.now()) return this.#late(held, pending);
    if (request.approved !== undefined) return this.#approvedElsewhere(held, pending);
    const granted = await this.#always(held);
    if (granted !== undefined) return granted;
    if (request.late === true) throw this.#refuse(held, "ERR_APPROVAL_ARGUMENTS", "digest");
    return this.#ask(held, pending);
  }

  /** Uses a decision from the store. */
  async #use(held: Held, pending: PendingApproval, decision: StoredDecision): Promise<Answer> {
    const { rule, id } = held;
    if (decision.expiresAt <= Date.now()) return this.#late(held, pending);
    if (!pending.decisions.includes(decision.decision))
      throw this.#refuse(held, "ERR_APPROVAL_NOT_ALLOWED", "not_allowed");
    if (decision.decision === "edit" && !(await fits(rule.argsSchema, decision.arguments))) {
      throw this.#refuse(held, "ERR_APPROVAL_NOT_ALLOWED", "schema");
    }
    await this.#claim(held, pending);
    const covered = [id];
    if (decision.decision === "edit") covered.push(await idWith(held, argumentsOf(decision.arguments)));
    this.#hold(held, covered);
    const facts = { answer: decision.decision, by: decision.by, at: decision.decidedAt };
    this.#notify(held, "decided", facts);
    this.#notify(held, "used", facts);
    if (decision.decision === "approve" && decision.always === true) await this.#grant(held, pending, decision);
    return this.#verdict(held, decision);
  }

  /** Consumes a request, unless the attempt was cancelled meanwhile and its tool must not run any more. */
  async #claim(held: Held, pending: PendingApproval): Promise<void> {
    held.attempt?.throwIfAborted();
    if (!(await this.options.ledger.claim(pending))) throw this.#refuse(held, "ERR_APPROVAL_USED", "replayed");
  }

  /**
   * Records the approvals that this attempt uses. A cancelled attempt leaves them to the next, since its tool does not
   * run.
   */
  #hold({ request, runtime, attempt }: Held, covers: readonly string[]): void {
    const unused = attempt?.aborted === true;
    runtime.get(heldKey).set(request.id, { covers, attempt, failed: unused });
    attempt?.throwIfAborted();
  }

  /** Returns the decision for the framework, without parts that the framework has already applied. */
  #verdict({ request }: Held, decision: StoredDecision): Answer {
    const by = decision.by === undefined ? {} : { by: decision.by };
    switch (decision.decision) {
      case "approve":
        return request.approved === undefined ? { decision: "approve", ...by } : undefined;
      case "edit": {
        const applied = canonical(argumentsOf(request.input)) === canonical(decision.arguments);
        if (request.approved !== undefined && applied) return undefined;
        return { decision: "edit", arguments: decision.arguments, ...by };
      }
      case "reject":
        return { decision: "reject", ...(decision.message !== undefined && { message: decision.message }), ...by };
      case "respond":
        return { decision: "respond", response: decision.response, ...by };
    }
  }

  /** Handles an approval made through the framework, which vouches for the person. */
  async #approvedElsewhere(held: Held, pending: PendingApproval | undefined): Promise<Answer> {
    const { request, runtime, rule, args, id } = held;
    if (pending === undefined) {
      // Another plugin's rule may have required the approval.
      if ((await rule.when?.(args, runtime)) === false || (await this.#always(held)) !== undefined) return undefined;
      throw this.#refuse(held, "ERR_APPROVAL_UNKNOWN", "unknown");
    }
    if (this.options.ledger.keys.sign) throw this.#refuse(held, "ERR_APPROVAL_SIGNATURE", "unsigned");
    const runs = argumentsOf(request.input);
    const edited = pending.toolName !== request.tool.name || canonical(runs) !== canonical(args);
    if (edited && !pending.decisions.includes("edit"))
      throw this.#refuse(held, "ERR_APPROVAL_NOT_ALLOWED", "not_allowed");
    if (edited && pending.toolName === request.tool.name && !(await fits(rule.argsSchema, runs))) {
      throw this.#refuse(held, "ERR_APPROVAL_NOT_ALLOWED", "schema");
    }
    await this.#claim(held, pending);
    this.#hold(held, [id, await idWith(held, runs)]);
    this.#notify(held, "used");
    return undefined;
  }

  /** Returns an earlier approval that covers the user's calls in the session. */
  async #always(held: Held): Promise<Answer> {
    if (held.rule.always === undefined) return undefined;
    const granted = await this.#verified(held, () => this.options.ledger.granted(grantOf(held, held.runtime)));
    if (granted === undefined) return undefined;
    this.#notify(held, "always", { by: granted.by, at: granted.grantedAt });
    return { decision: "approve", ...(granted.by !== undefined && { by: granted.by }) };
  }

  /** Grants later calls to the user and session of the request that the person was shown. */
  async #grant(held: Held, pending: PendingApproval, { by }: StoredDecision): Promise<void> {
    const { rule } = held;
    if (rule.always === undefined) return;
    const grantedAt = Date.now();
    const expiresAt = grantedAt + rule.always.expiresIn;
    const grant = {
      version: 1,
      ...grantOf(held, pending),
      ...(by !== undefined && { by }),
      grantedAt,
      expiresAt,
    } as const;
    await this.options.ledger.grant(grant);
  }

  async #ask(held: Held, before: PendingApproval | undefined): Promise<Answer> {
    const { ledger, ways } = this.options;
    const request = before ?? (await requestOf(held, this.options));
    if (before === undefined && (await ledger.ask(request))) {
      this.#notify(held, "asked", { expiresAt: request.expiresAt });
    }
    // Ask again if the previous process died before it asked. Receivers recognize the request by its id.
    if (ways.length > 0 && !(await ledger.isNotified(request))) {
      for (const way of ways) if (await this.#askBy(way, held, request)) return this.#decide(held);
      await ledger.markNotified(request);
    }
    return { question: request.question, decisions: request.decisions, id: request.id };
  }

  /** Asks in one way. Returns true if there is a decision now. */
  async #askBy(way: Ask, held: Held, request: PendingApproval): Promise<boolean> {
    const { runtime } = held;
    const signal = signalOf(held.request.call) ?? runtime.signal;
    try {
      const decision = await way(request, { signal });
      if (decision === undefined) return false;
      await decide(this.options.ledger, request.id, decision);
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      // There was an earlier decision, or this one was too late. The store holds the outcome.
      if (ApprovalError.is(error) && ["ERR_APPROVAL_DECIDED", "ERR_APPROVAL_EXPIRED"].includes(error.code)) return true;
      // The request is not lost: it is in the store, and the run is suspended.
      this.#notify(held, "not_delivered");
      runtime.notify({ type: "fault", where: "asking for an approval", error, ...callOf(held) });
      return false;
    }
  }

  async #late(held: Held, pending: PendingApproval): Promise<never> {
    if (await this.options.ledger.expire(pending)) this.#notify(held, "expired", { expiresAt: pending.expiresAt });
    throw this.#refuse(held, "ERR_APPROVAL_EXPIRED", "late");
  }

  async #verified<T>(held: Held, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (ApprovalError.is(error)) this.#notify(held, "refused", { why: "signature" });
      throw error;
    }
  }

  #refuse(held: Held, code: ApprovalErrorCode, why: string): ApprovalError {
    this.#notify(held, "refused", { why });
    return new ApprovalError(code, `${reasons[why]} This attempt did not run ${held.request.tool.name}.`);
  }

  #notify(held: Held, decision: Word, facts: Facts = {}): void {
    const { name: plugin, enforced } = this.options;
    const details: Record<string, string | number | boolean> = { request: held.id };
    for (const [key, value] of Object.entries(facts)) {
      if (value !== undefined) details[key] = typeof value === "string" ? value.slice(0, 100) : value;
    }
    const place = held.request.tool.name;
    held.runtime.notify({ type: "decision", plugin, decision, enforced, place, details, ...callOf(held) });
  }
}

const reasons: Readonly<Record<string, string>> = {
  __proto__: null as never,
  digest: "The approval is not for these arguments, which have changed since.",
  unknown: "There is no request for this call: it was made by a process with another store, or for other arguments.",
  replayed: "The approval is valid once and was already used, so an earlier attempt may have run the call.",
  unsigned: "The approval is not signed, and this process requires a signature.",
  not_allowed: "The request does not accept this kind of decision.",
  schema: "The tool's rule does not allow the edited arguments.",
  late: "The approval came too late: the request has expired.",
};

/** Returns the id of the request for a call of a run. */
const idOf = ({ id }: ApprovalRequest, runtime: RuntimeContext, tool: string, args: unknown): Promise<string> => {
  const { runId, userId, tenantId } = runtime;
  return callDigest({ runId, userId, tenantId, tool, id, arguments: args });
};

/** Returns the id that the request for a held call has with other arguments. */
const idWith = ({ request, runtime }: Held, args: unknown): Promise<string> =>
  idOf(request, runtime, request.tool.name, args);

const covers = ({ covers, attempt, failed }: Use, held: Held): boolean =>
  covers.includes(held.id) && (failed || attempt === undefined || attempt === held.attempt);

const callOf = ({ request: { call } }: Held) => (call === undefined ? {} : { call });

/** Returns the scope of an "always" grant. Without a session it covers the run, without a user only calls without one. */
const grantOf = ({ rule, args, request }: Held, { sessionId, userId, runId }: Owner) => ({
  session: sessionId === undefined ? `run:${runId}` : sessionOf(sessionId),
  ...(userId !== undefined && { userId }),
  toolName: request.tool.name,
  scope: String(rule.always?.per(args) ?? ""),
});

type Owner = Pick<RuntimeContext, "sessionId" | "userId" | "runId">;
