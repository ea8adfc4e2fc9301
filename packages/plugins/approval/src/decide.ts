import type { ApprovalDecision } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import { argumentsOf } from "./arguments.js";
import { ApprovalError } from "./errors.js";
import type { Ledger } from "./ledger.js";
import type { PendingApproval, PersonDecision, StoredDecision } from "./records.js";
import { fits } from "./schema.js";

const maxText = 10_000;

/** The decision that each field belongs to. */
const decisionByField: Readonly<Record<string, ApprovalDecision>> = {
  __proto__: null as never,
  always: "approve",
  arguments: "edit",
  message: "reject",
  response: "respond",
};

/**
 * Stores a person's decision on a request. Only the first decision counts.
 *
 * @param delivery identifies the message that contained the decision. If it is delivered again, nothing changes.
 * @throws {ApprovalError} `ERR_APPROVAL_UNKNOWN`, `ERR_APPROVAL_EXPIRED`, `ERR_APPROVAL_NOT_ALLOWED`,
 *   `ERR_APPROVAL_DECIDED`, `ERR_APPROVAL_SIGNATURE`, and the errors of the store
 */
export async function decide(
  ledger: Ledger,
  id: string,
  input: PersonDecision,
  delivery?: string,
): Promise<PendingApproval> {
  const request = await ledger.request(id);
  if (request === undefined) {
    throw new ApprovalError(
      "ERR_APPROVAL_UNKNOWN",
      "There is no request with this id, or it was removed. No decision was stored.",
    );
  }
  const { expiresAt } = request;
  const decidedAt = Date.now();
  const decision = await checkedDecision(request, input);
  if (decidedAt >= expiresAt) {
    throw new ApprovalError("ERR_APPROVAL_EXPIRED", `The request expired at ${new Date(expiresAt).toISOString()}.`);
  }
  const fields = { version: 1, request: id, decidedAt, expiresAt, ...(delivery !== undefined && { delivery }) };
  if (await ledger.decide({ ...decision, ...fields } as StoredDecision)) return request;
  if (delivery !== undefined && (await ledger.decision(id))?.delivery === delivery) return request;
  throw new ApprovalError("ERR_APPROVAL_DECIDED", "The request was already decided. The first decision is kept.");
}

/** @throws {ApprovalError} `ERR_APPROVAL_NOT_ALLOWED` */
async function checkedDecision(request: PendingApproval, input: unknown): Promise<PersonDecision> {
  if (!isRecord(input)) throw notAllowed(`A decision must be an object, for example { decision: "approve" }.`);
  const { decision, by } = input;
  if (!(request.decisions as readonly unknown[]).includes(decision)) {
    throw notAllowed(`The request does not accept this decision. It accepts: ${request.decisions.join(", ")}.`);
  }
  const others = Object.keys(decisionByField).filter(
    (field) => input[field] !== undefined && decisionByField[field] !== decision,
  );
  // Without this, a person who approves "these arguments" would approve the original ones.
  if (others.length > 0) throw notAllowed(`The decision "${decision}" has no ${others.join(" and no ")}.`);
  const person = by === undefined ? {} : { by: textIn("by", by) };
  switch (decision) {
    case "edit": {
      const args = argumentsOf(input.arguments);
      if (input.arguments === undefined) throw notAllowed('An "edit" decision must have arguments.');
      if (!(await fits(request.argsSchema, args))) throw notAllowed("The edited arguments do not match the schema.");
      return { decision, arguments: args, ...person };
    }
    case "reject":
      return { decision, ...(input.message !== undefined && { message: textIn("message", input.message) }), ...person };
    case "respond":
      if (input.response === undefined) throw notAllowed('A "respond" decision must have a message.');
      return { decision, response: argumentsOf(input.response), ...person };
    default: {
      if (input.always !== true) return { decision: "approve", ...person };
      if (!request.always)
        throw notAllowed("The request is for this call only: it cannot be approved for later calls.");
      return { decision: "approve", always: true, ...person };
    }
  }
}

function textIn(field: string, value: unknown): string {
  if (typeof value === "string" && value.length <= maxText) return value;
  throw notAllowed(`The field ${field} of a decision must be a string of at most ${maxText} characters.`);
}

const notAllowed = (message: string): ApprovalError => new ApprovalError("ERR_APPROVAL_NOT_ALLOWED", message);
