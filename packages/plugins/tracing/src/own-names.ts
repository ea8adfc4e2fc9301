/**
 * The suite's own names: what the conventions have no word for yet. Guardrails, approvals and pauses are open
 * proposals there, so every name stands here and nowhere else: taking over a standard one is one line.
 */
const NAMESPACE = "suite";

/** Attributes in the suite's namespace. */
export const OWN = {
  /** Only where a call did not simply complete or fail: `suspended`, `cancelled`, `terminated`, `denied`, `expired`. */
  status: `${NAMESPACE}.status`,
  /** The run: the same before and after a suspension. */
  runId: `${NAMESPACE}.run.id`,
  /** Content was shortened to stay within the limit. */
  contentTruncated: `${NAMESPACE}.content.truncated`,

  /** Names of the tools that a suspended run waits for, by what it waits for. */
  pendingApproval: `${NAMESPACE}.pending.approval`,
  pendingExternal: `${NAMESPACE}.pending.external`,
  pendingInput: `${NAMESPACE}.pending.input`,
  pendingReason: `${NAMESPACE}.pending.reason`,

  toolExternal: `${NAMESPACE}.tool.external`,
  approvalDecision: `${NAMESPACE}.approval.decision`,
  approvalBy: `${NAMESPACE}.approval.by`,

  guardrailPlugin: `${NAMESPACE}.guardrail.plugin`,
  guardrailPlace: `${NAMESPACE}.guardrail.place`,
  guardrailDecision: `${NAMESPACE}.guardrail.decision`,
  guardrailEnforced: `${NAMESPACE}.guardrail.enforced`,
  /** JSON: how often each type was found. */
  guardrailFindings: `${NAMESPACE}.guardrail.findings`,

  limitName: `${NAMESPACE}.limit.name`,
  limitMaximum: `${NAMESPACE}.limit.maximum`,
  faultWhere: `${NAMESPACE}.fault.where`,
  linkRelation: `${NAMESPACE}.link`,

  messagesBefore: `${NAMESPACE}.compress_context.messages.before`,
  messagesAfter: `${NAMESPACE}.compress_context.messages.after`,
  humanInputQuestion: `${NAMESPACE}.human_input.question`,
  humanInputAnswer: `${NAMESPACE}.human_input.answer`,
} as const;

/** Spans of what no convention covers. */
export const OWN_SPAN = {
  compressContext: `${NAMESPACE}.compress_context`,
  humanInput: `${NAMESPACE}.human_input`,
} as const;

/** Span events. */
export const OWN_EVENT = {
  guardrail: `${NAMESPACE}.guardrail`,
  approval: `${NAMESPACE}.approval`,
  limit: `${NAMESPACE}.limit`,
  suspended: `${NAMESPACE}.suspended`,
  resumed: `${NAMESPACE}.resumed`,
  fault: `${NAMESPACE}.fault`,
} as const;
