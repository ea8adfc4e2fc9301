import { ViewerError } from "../errors.js";
import type { ApprovalRequest, WaitingRequest, WaitingRequests } from "../run/approval.js";
import { type Span, textAt } from "../run/span.js";

/** The approvals that people decide on, as `approvals({ store, keys })` of `@suite/approval` gives them. */
export interface Approvals {
  get(id: string): Promise<ApprovalRequest | undefined>;
  decision(id: string): Promise<object | undefined>;
  decide(id: string, decision: never): Promise<unknown>;
}

/** The most requests that are looked at. */
const MOST_REQUESTS = 200;
const decisions: ReadonlySet<unknown> = new Set(["approve", "edit", "reject", "respond"]);

/**
 * The desk at which the requests of the traces that came here are decided. Traces say which there are; what is asked, and
 * whether it was decided, is the store's to say.
 */
export class ApprovalDesk {
  readonly #approvals: Approvals;
  readonly #by: string;
  /** The traces that tell of requests, by the requests' ids. */
  readonly #asked = new Map<string, string>();

  /** @param by the name of the person, for the record. */
  constructor(approvals: Approvals, by: string) {
    this.#approvals = approvals;
    this.#by = by;
  }

  /** Looks for requests in spans. */
  see(spans: readonly Span[]): void {
    for (const { traceId, events } of spans) {
      for (const { name, attributes } of events) {
        const id = textAt(attributes, "suite.decision.detail.request");
        if (name !== "suite.decision" || textAt(attributes, "suite.decision.name") !== "asked" || id === undefined)
          continue;
        this.#asked.set(id, traceId);
        const [oldest] = this.#asked.keys();
        if (this.#asked.size > MOST_REQUESTS && oldest !== undefined) this.#asked.delete(oldest);
      }
    }
  }

  /** The requests that wait, the oldest first. */
  async waiting(): Promise<WaitingRequests> {
    const problems: string[] = [];
    const found = await Promise.all(
      [...this.#asked].map(async ([id, traceId]): Promise<readonly WaitingRequest[]> => {
        try {
          const request = await this.#approvals.get(id);
          if (request !== undefined && request.expiresAt > Date.now()) {
            if ((await this.#approvals.decision(id)) === undefined) return [{ request: shown(request), traceId }];
          }
          // Decided, expired or gone: it does not come back.
          this.#asked.delete(id);
        } catch (error) {
          problems.push(reasonOf(error) ?? "The store of approvals could not be read.");
        }
        return [];
      }),
    );
    const waiting = found.flat().sort((a, b) => a.request.askedAt - b.request.askedAt);
    return { by: this.#by, waiting, problems: [...new Set(problems)] };
  }

  /**
   * Keeps a person's decision on what that person saw.
   *
   * @throws ViewerError `ERR_VIEWER_REQUEST` where it is none, or not taken.
   */
  async decide(id: string, given: unknown): Promise<object> {
    const { digest, ...decision } = (typeof given === "object" && given !== null ? given : {}) as Record<
      string,
      unknown
    >;
    if (!decisions.has(decision.decision)) throw refused("This is no decision.");
    try {
      const request = await this.#approvals.get(id);
      // What was shown is what is decided on, whatever the store says by now.
      if (request !== undefined && request.digest !== digest)
        throw refused("The request is not the one that was shown.");
      await this.#approvals.decide(id, { ...decision, by: this.#by } as never);
    } catch (error) {
      if (ViewerError.is(error)) throw error;
      throw refused(reasonOf(error) ?? "The store of approvals failed. Whether the decision was kept is not known.");
    }
    return { decided: true };
  }
}

/** The words of an error of `@suite/approval`, which hold no value of a user; undefined of others. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith("ERR_APPROVAL_")
    ? error.message
    : undefined;

const refused = (message: string): ViewerError => new ViewerError("ERR_VIEWER_REQUEST", message);

/** A request without what the page has no need of: its signature, say. */
function shown(request: ApprovalRequest): ApprovalRequest {
  const { id, digest, toolName, question, decisions: allowed, argsSchema, always, askedAt, expiresAt } = request;
  return {
    ...{ id, digest, toolName, question, decisions: allowed, always, askedAt, expiresAt },
    ...(request.arguments !== undefined && { arguments: request.arguments }),
    ...(argsSchema !== undefined && { argsSchema }),
    ...(request.sessionId !== undefined && { sessionId: request.sessionId }),
    ...(request.userId !== undefined && { userId: request.userId }),
  };
}
