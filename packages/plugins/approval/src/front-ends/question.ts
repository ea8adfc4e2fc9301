import { isRecord } from "@suite/kit";
import { ApprovalError } from "../errors.js";
import type { Decision, PendingApproval } from "../records.js";

/** The fields of a request that a front end receives. */
type ShownField = "id" | "toolName" | "toolCallId" | "arguments" | "question" | "decisions" | "argsSchema" | "always";

/** A question to a person, as a front end receives it: JSON without the user, the session and the signature. */
export interface Question extends Pick<PendingApproval, ShownField | "expiresAt"> {}

/** A person's answer, as a front end returns it: JSON that names the question by its id, the digest of the call. */
export type Answer = Decision & { readonly id: string };

/** Returns the question of a request for a front end. */
export function questionOf(request: PendingApproval): Question {
  const { id, toolName, toolCallId, question, decisions, always, expiresAt, argsSchema } = request;
  return {
    ...{ id, toolName, toolCallId, question, decisions, always, expiresAt },
    ...("arguments" in request && { arguments: request.arguments }),
    ...(argsSchema !== undefined && { argsSchema }),
  };
}

/**
 * Returns a person's answer to a question, which the front end sends back. The server passes it to
 * `approvals().answer()`.
 */
export const answerWith = ({ id }: Pick<Question, "id">, decision: Decision): Answer => ({ ...decision, id });

/**
 * Splits an answer of a front end into the id of its question and the decision, which is not checked yet.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_NOT_ALLOWED` if it has no id, or names the person who decided, which only the
 *   server knows.
 */
export function partsOf(answer: unknown): { readonly id: string; readonly decision: Decision } {
  if (!isRecord(answer) || typeof answer.id !== "string")
    throw notAllowed("An answer must contain the id of its question.");
  const { id, ...decision } = answer;
  if ("by" in decision) throw notAllowed("An answer of a front end does not contain `by`: the server sets it.");
  return { id, decision: decision as unknown as Decision };
}

const notAllowed = (message: string): ApprovalError => new ApprovalError("ERR_APPROVAL_NOT_ALLOWED", message);
