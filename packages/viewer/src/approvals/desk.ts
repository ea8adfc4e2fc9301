import { within } from "@suite/kit/time";
import { ViewerError } from "../errors.js";
import type { ApprovalRequest, WaitingRequest, WaitingRequests } from "../run/approval.js";
import { type Span, textAt } from "../run/span.js";

/** The approvals that people decide on: the result of `approvals({ store, keys })` of `@suite/approval`. */
export interface Approvals {
  get(id: string): Promise<ApprovalRequest | undefined>;
  decision(id: string): Promise<object | undefined>;
  decide(id: string, decision: never): Promise<unknown>;
}

/** The most requests in the list: the oldest ones. */
const MOST_LISTED = 200;
/** The most requests that are kept, and the most of one OTLP request that are looked up. */
const MOST_KNOWN = 10_000;
const MOST_OF_ONE = 1000;
/** Milliseconds that the store may take for one request. */
const LOOK_UP_MS = 5000;
const decisions: ReadonlySet<unknown> = new Set(["approve", "edit", "reject", "respond"]);

/** A request that the store contained when a trace named it. */
interface Known {
  readonly traceId: string;
  readonly askedAt: number;
}

/**
 * Collects approval requests and keeps the decisions on them. Traces name requests, and any program on this machine can
 * send traces. Only requests in the store count, so that invented ids displace nothing.
 */
export class ApprovalDesk {
  readonly #approvals: Approvals;
  readonly #by: string;
  /** Requests that the store contains, by id. */
  readonly #known = new Map<string, Known>();
  /** Requests whose lookup failed, by id, with the trace that names them. They are looked up again. */
  readonly #unasked = new Map<string, string>();
  /** The number of requests that were dropped because there were too many. */
  #forgotten = 0;

  /** @param by the name of the person, for the record. */
  constructor(approvals: Approvals, by: string) {
    this.#approvals = approvals;
    this.#by = by;
  }

  /** Looks up the requests that spans name. Resolves after the lookup, and never rejects. */
  async see(spans: readonly Span[]): Promise<void> {
    const named = requestsIn(spans);
    let isReachable = true;
    for (const [id, traceId] of named) {
      if (this.#known.has(id)) continue;
      isReachable &&= await this.#lookUp(id, traceId);
      if (!isReachable) this.#keep(this.#unasked, id, traceId, MOST_OF_ONE);
    }
  }

  /** Returns the waiting requests, the oldest first. */
  async waiting(): Promise<WaitingRequests> {
    for (const [id, traceId] of [...this.#unasked]) {
      if (!(await this.#lookUp(id, traceId))) break;
      this.#unasked.delete(id);
    }
    const oldest = [...this.#known].sort(([, a], [, b]) => a.askedAt - b.askedAt).slice(0, MOST_LISTED);
    const problems = new Set<string>();
    const found = await Promise.all(oldest.map(([id, { traceId }]) => this.#stillWaiting(id, traceId, problems)));
    if (this.#unasked.size > 0) problems.add("The store of approvals could not be read.");
    if (this.#known.size > MOST_LISTED)
      problems.add(
        `${this.#known.size - MOST_LISTED} more requests may be waiting. They are listed after older ones are decided.`,
      );
    if (this.#forgotten > 0)
      problems.add(`${this.#forgotten} requests are not listed because there are too many. Decide them elsewhere.`);
    return { by: this.#by, waiting: found.flat(), problems: [...problems] };
  }

  /** Returns the request if it still waits. One that was decided, expired or removed is dropped. */
  async #stillWaiting(id: string, traceId: string, problems: Set<string>): Promise<readonly WaitingRequest[]> {
    try {
      const request = await this.#approvals.get(id);
      if (request !== undefined && request.expiresAt > Date.now()) {
        if ((await this.#approvals.decision(id)) === undefined) return [{ request: forPage(request), traceId }];
      }
      this.#known.delete(id);
    } catch (error) {
      problems.add(reasonOf(error) ?? "The store of approvals could not be read.");
    }
    return [];
  }

  /** Keeps a request if the store contains it. @returns false if the store could not be read */
  async #lookUp(id: string, traceId: string): Promise<boolean> {
    try {
      const request = await within(LOOK_UP_MS, () => this.#approvals.get(id), { late: unreachable });
      if (request !== undefined) this.#keep(this.#known, id, { traceId, askedAt: request.askedAt }, MOST_KNOWN);
      return true;
    } catch (error) {
      if (reasonOf(error) === undefined) return false;
      // The store contains the request, but it is invalid: the page shows the reason.
      this.#keep(this.#known, id, { traceId, askedAt: Number.MAX_SAFE_INTEGER }, MOST_KNOWN);
      return true;
    }
  }

  #keep<T>(requests: Map<string, T>, id: string, value: T, most: number): void {
    if (requests.size >= most && !requests.has(id)) this.#forgotten++;
    else requests.set(id, value);
  }

  /**
   * Keeps a person's decision on the request that the person saw: its id is the digest of its call.
   *
   * @throws ViewerError `ERR_VIEWER_REQUEST` if the decision is invalid or was refused.
   */
  async decide(id: string, body: unknown): Promise<object> {
    const decision = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    if (!decisions.has(decision.decision)) throw refused("The body is not a decision.");
    try {
      await this.#approvals.decide(id, { ...decision, by: this.#by } as never);
    } catch (error) {
      throw refused(reasonOf(error) ?? "The store of approvals failed. The decision may or may not have been stored.");
    }
    return { decided: true };
  }
}

/** Returns the ids of the requests that spans name, with their traces. */
function requestsIn(spans: readonly Span[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const { traceId, events } of spans) {
    for (const { name, attributes } of events) {
      if (named.size >= MOST_OF_ONE) return named;
      if (name !== "suite.decision" || textAt(attributes, "suite.decision.name") !== "asked") continue;
      const id = textAt(attributes, "suite.decision.detail.request");
      if (id !== undefined) named.set(id, traceId);
    }
  }
  return named;
}

const unreachable = (): Error => new Error("The store of approvals did not answer in time.");

/**
 * Returns the message of an error of `@suite/approval`, which contains no user data. Returns `undefined` for other
 * errors.
 */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith("ERR_APPROVAL_")
    ? error.message
    : undefined;

const refused = (message: string): ViewerError => new ViewerError("ERR_VIEWER_REQUEST", message);

/** Returns a request without the fields that the page does not need, such as its signature. */
function forPage(request: ApprovalRequest): ApprovalRequest {
  const { id, toolName, question, decisions: allowed, argsSchema, always, askedAt, expiresAt } = request;
  return {
    ...{ id, toolName, question, decisions: allowed, always, askedAt, expiresAt },
    ...(request.arguments !== undefined && { arguments: request.arguments }),
    ...(argsSchema !== undefined && { argsSchema }),
    ...(request.sessionId !== undefined && { sessionId: request.sessionId }),
    ...(request.userId !== undefined && { userId: request.userId }),
  };
}
