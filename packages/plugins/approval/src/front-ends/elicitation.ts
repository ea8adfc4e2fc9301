import { isRecord } from "@suite/kit";
import { ApprovalError } from "../errors.js";
import type { Ask } from "../gate.js";
import type { Decision, PendingApproval, PersonDecision } from "../records.js";
import { checkNames, invalid } from "../rules.js";

/** The parameters of an MCP request `elicitation/create` in form mode. */
export interface ElicitParams {
  message: string;
  requestedSchema: { type: "object"; properties: Record<string, Field>; required: string[] };
}

/** A field of a form. */
type Field =
  | { type: "string"; title: string; enum: string[]; default?: string }
  | { type: "string"; title: string; description?: string };

/** The result of an elicitation. */
export interface ElicitResult {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** The options of a request of an MCP server: milliseconds until it fails, and the signal that aborts it. */
export interface ElicitOptions {
  /** Cancels the questions when it aborts. */
  readonly signal: AbortSignal;
  /** The maximum time for one answer, in milliseconds. */
  readonly timeout: number;
}

/** The maximum delay of a timer, in milliseconds. */
const longest = 2_147_483_647;

/**
 * A way to ask: an MCP server asks the person at its client. `decline` rejects the call. `cancel` leaves the question
 * open, and the run is suspended.
 *
 * @param elicit sends the request and returns the result.
 * @param options `by`: the name of the person, for the record.
 * @throws {ApprovalError} `ERR_APPROVAL_OPTION`
 * @example
 * ```ts
 * const ask = elicitation((params, options) => mcpServer.server.elicitInput(params, options));
 * ```
 */
export function elicitation(
  elicit: (params: ElicitParams, options: ElicitOptions) => Promise<ElicitResult>,
  options: { readonly by?: string } = {},
): Ask {
  if (typeof elicit !== "function") throw invalid("elicitation() takes a function that sends the request.");
  if (!isRecord(options)) throw invalid("elicitation() takes an object of options.");
  const { by } = checkNames("elicitation()", options, { by: true });
  if (by !== undefined && typeof by !== "string") throw invalid("The option by of elicitation() must be a string.");
  return async (request, { signal }) => {
    const timeout = Math.min(longest, Math.max(1, request.expiresAt - Date.now()));
    const { action, content } = await elicit(formOf(request), { signal, timeout });
    const decision = decisionIn(request, action, content);
    return decision === undefined ? undefined : ({ ...decision, ...(by !== undefined && { by }) } as PersonDecision);
  };
}

/** Returns the form of a request. MCP allows flat fields only, so arguments and results are entered as strings. */
function formOf(request: PendingApproval): ElicitParams {
  const { id, question, toolName, decisions } = request;
  const argumentText =
    "arguments" in request ? JSON.stringify(request.arguments, undefined, 2) : "(arguments are not shown)";
  const properties: Record<string, Field> = {
    request: { type: "string", title: "Request", enum: [id], default: id },
    decision: { type: "string", title: "Decision", enum: [...decisions] },
  };
  if (decisions.includes("edit")) {
    properties.arguments = { type: "string", title: "Other arguments, to edit", description: "JSON" };
  }
  if (decisions.includes("reject")) properties.message = { type: "string", title: "Reason, to reject" };
  if (decisions.includes("respond")) properties.response = { type: "string", title: "Result, to respond" };
  const required = ["request", "decision"];
  return {
    message: `${question}\n\n${toolName} ${argumentText}`,
    requestedSchema: { type: "object", properties, required },
  };
}

/** @throws {ApprovalError} `ERR_APPROVAL_NOT_ALLOWED` if the form was answered for another request */
function decisionIn(
  { id }: PendingApproval,
  action: ElicitResult["action"],
  content: ElicitResult["content"],
): Decision | undefined {
  if (action === "decline") return { decision: "reject" };
  if (action !== "accept" || !isRecord(content)) return undefined;
  const { request, ...fields } = content;
  if (request !== id) {
    throw new ApprovalError("ERR_APPROVAL_NOT_ALLOWED", "The form was answered for another request.");
  }
  const filled = Object.entries(fields).filter(([, value]) => value !== "");
  const decision = Object.fromEntries(filled) as unknown as Decision;
  return decision.decision === "edit" ? { ...decision, arguments: parsed(decision.arguments) } : decision;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    throw new ApprovalError("ERR_APPROVAL_NOT_ALLOWED", "The edited arguments are not JSON.");
  }
}
