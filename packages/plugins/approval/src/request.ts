import { type RuntimeContext, redactorOf } from "@suite/core";
import type { ApprovalRequest } from "@suite/core/contract";
import { canonical } from "@suite/kit/digest";
import { argumentsOf } from "./arguments.js";
import { ApprovalError } from "./errors.js";
import type { PendingApproval } from "./records.js";
import { type Rule, shownSchema } from "./rules.js";

/** A tool call that needs approval. */
export interface CallToApprove {
  readonly request: Pick<ApprovalRequest, "id" | "tool">;
  readonly runtime: RuntimeContext;
  readonly rule: Rule;
  readonly args: unknown;
  /** The digest of the call, which is the id of its request. */
  readonly id: string;
}

/** The options of what people are shown, and for how long. */
export interface Showing {
  readonly expiresIn: number;
  readonly show: "redacted" | "full" | "none";
  readonly descriptionPrefix: string;
}

/**
 * Creates the approval request, with the arguments and the question as people may see them. Hidden or redacted
 * arguments cannot be edited, because the placeholder of a value would be executed.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_REQUEST` if no decision is possible, and errors thrown by a description
 */
export async function requestOf(
  { request: { id: toolCallId, tool }, runtime, rule, args, id }: CallToApprove,
  { show, descriptionPrefix, expiresIn }: Showing,
): Promise<PendingApproval> {
  const { name: toolName } = tool;
  const { description = `May ${toolName} run with these arguments?` } = rule;
  const call = { id: toolCallId, name: toolName, arguments: args };
  const text = typeof description === "string" ? description : await description(call, runtime);
  const question = descriptionPrefix === "" ? `${text}` : `${descriptionPrefix}\n\n${text}`;
  const redactor = show === "full" ? undefined : redactorOf(runtime);
  const shownArguments =
    show === "none" ? undefined : redactor === undefined ? args : argumentsOf(redactor.value(args));
  const asTheyAre = shownArguments !== undefined && canonical(shownArguments) === canonical(args);
  const decisions = asTheyAre ? rule.allowedDecisions : rule.allowedDecisions.filter((each) => each !== "edit");
  if (decisions.length === 0) {
    throw new ApprovalError(
      "ERR_APPROVAL_REQUEST",
      `The arguments of ${toolName} are redacted, so they cannot be edited, and the rule allows no other decision. The call was not run.`,
    );
  }
  const schema = decisions.includes("edit") ? shownSchema(rule) : undefined;
  const { runId, sessionId, userId } = runtime;
  const askedAt = Date.now();
  return {
    ...{ version: 1, id, toolName, toolCallId },
    ...(shownArguments !== undefined && { arguments: shownArguments }),
    question: redactor === undefined ? question : redactor.redact(question),
    decisions,
    ...(schema !== undefined && { argsSchema: schema }),
    always: rule.always !== undefined && decisions.includes("approve"),
    runId,
    ...(sessionId !== undefined && { sessionId }),
    ...(userId !== undefined && { userId }),
    askedAt,
    expiresAt: askedAt + expiresIn,
  };
}
