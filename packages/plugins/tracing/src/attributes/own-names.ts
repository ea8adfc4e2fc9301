/**
 * The suite's custom names, for values that the conventions do not name yet. Guardrails, approvals and pauses are open
 * proposals there. All custom names are in this file, so that adopting a standard name changes one line.
 */
const NAMESPACE = "suite";

/**
 * Attributes in the suite's namespace, two of the core conventions that the GenAI conventions do not list, and the
 * tenant.
 */
export const SUITE = {
  /** The user and the session, by core conventions in development: backends list traces by both. */
  userId: "user.id",
  sessionId: "session.id",
  /** No convention has a name for the tenant. */
  tenantId: "tenant.id",
  /** The cost of a model call, computed from the configured prices and in their currency. */
  usageCost: `${NAMESPACE}.usage.cost`,

  /**
   * The status of a call that did not complete or fail normally: `suspended`, `cancelled`, `terminated`, `denied`,
   * `expired`.
   */
  status: `${NAMESPACE}.status`,
  /** False if a layer answered or refused the call, so that the model or tool was not called. */
  reached: `${NAMESPACE}.reached`,
  /** `error.type` of the innermost cause of an error, such as `ECONNREFUSED`. */
  errorCause: `${NAMESPACE}.error.cause`,
  /** The HTTP status of an error, such as 429. */
  errorStatus: `${NAMESPACE}.error.status`,
  /** The id of the run, which stays the same after a suspension. */
  runId: `${NAMESPACE}.run.id`,

  /** The agent and the conversation, on spans that have no `gen_ai.*` attributes for them in the conventions. */
  agentName: `${NAMESPACE}.agent.name`,
  agentId: `${NAMESPACE}.agent.id`,
  agentVersion: `${NAMESPACE}.agent.version`,
  conversationId: `${NAMESPACE}.conversation.id`,

  /** True if content was shortened to stay within the limit. */
  contentTruncated: `${NAMESPACE}.content.truncated`,

  /** The pending tool calls of a suspended run, by the reason for waiting: names, and ids in the same order. */
  pendingApprovalTools: `${NAMESPACE}.pending.approval.tools`,
  pendingApprovalCallIds: `${NAMESPACE}.pending.approval.call_ids`,
  pendingExternalTools: `${NAMESPACE}.pending.external.tools`,
  pendingExternalCallIds: `${NAMESPACE}.pending.external.call_ids`,
  pendingInputTools: `${NAMESPACE}.pending.input.tools`,
  pendingInputCallIds: `${NAMESPACE}.pending.input.call_ids`,
  pendingReason: `${NAMESPACE}.pending.reason`,

  /** The purpose of a model call that a plugin made. */
  modelPurpose: `${NAMESPACE}.model.purpose`,

  /** The types of the edits that the provider applied to the history of a model call. */
  contextEdits: `${NAMESPACE}.response.context_edits`,

  /** The number of an attempt, from 1, on the span of an attempt that was replaced by another. */
  attempt: `${NAMESPACE}.attempt`,

  /**
   * The id of a pending call. The conventions allow one span per `gen_ai.tool.call.id`: the span of the call's result.
   */
  toolCallId: `${NAMESPACE}.tool.call.id`,
  toolExternal: `${NAMESPACE}.tool.external`,
  /** True if the span is for the undo of a tool call, not for the call. */
  toolUndo: `${NAMESPACE}.tool.undo`,
  approvalDecision: `${NAMESPACE}.approval.decision`,
  approvalBy: `${NAMESPACE}.approval.by`,

  guardrailPlugin: `${NAMESPACE}.guardrail.plugin`,
  guardrailPlace: `${NAMESPACE}.guardrail.place`,
  guardrailDecision: `${NAMESPACE}.guardrail.decision`,
  guardrailEnforced: `${NAMESPACE}.guardrail.enforced`,
  /** JSON: the number of findings per type. */
  guardrailFindings: `${NAMESPACE}.guardrail.findings`,

  /** A plugin's decision of any kind. Its details are recorded as `suite.decision.detail.NAME`. */
  decisionPlugin: `${NAMESPACE}.decision.plugin`,
  decisionName: `${NAMESPACE}.decision.name`,
  decisionEnforced: `${NAMESPACE}.decision.enforced`,
  decisionPlace: `${NAMESPACE}.decision.place`,
  decisionReason: `${NAMESPACE}.decision.reason`,
  decisionDetail: `${NAMESPACE}.decision.detail`,

  limitName: `${NAMESPACE}.limit.name`,
  limitMaximum: `${NAMESPACE}.limit.maximum`,
  faultWhere: `${NAMESPACE}.fault.where`,
  linkRelation: `${NAMESPACE}.link`,

  messagesBefore: `${NAMESPACE}.compress_context.messages.before`,
  messagesAfter: `${NAMESPACE}.compress_context.messages.after`,
  /** The tool call that a person is asked about. */
  humanInputTool: `${NAMESPACE}.human_input.tool`,
  humanInputCallId: `${NAMESPACE}.human_input.call_id`,
  humanInputQuestion: `${NAMESPACE}.human_input.question`,
  humanInputAnswer: `${NAMESPACE}.human_input.answer`,
} as const;

/**
 * Names that Langfuse and OpenInference's converter read. The conventions have other names for these values, or none.
 */
export const BACKEND = {
  cacheCreationInputTokens: "gen_ai.usage.cache_creation.input_tokens",
  cost: "gen_ai.usage.cost",
} as const;

/**
 * Names of proposals to the GenAI conventions that were open in October 2026: requests 427 (guardrails), 535 (decisions
 * on tool calls) and 445 (agents that pause). They may change or never be accepted.
 */
export const PROPOSED = {
  guardrailResult: "gen_ai.guardrail.result",
  guardrailComponent: "gen_ai.guardrail.component.name",
  guardrailSource: "gen_ai.guardrail.source",
  guardrailType: "gen_ai.guardrail.result.type",
  guardrailValue: "gen_ai.guardrail.result.value",
  guardrailReason: "gen_ai.guardrail.result.reason",
  guardrailCategory: "gen_ai.guardrail.risk.category",
  toolDecision: "gen_ai.tool.call.decision",
  toolDecisionOutcome: "gen_ai.tool.call.decision.outcome",
  paused: "gen_ai.agent.paused",
  resumed: "gen_ai.agent.resumed",
  pauseId: "gen_ai.agent.pause.id",
  pauseReason: "gen_ai.agent.pause.reason",
} as const;

/** Names of spans that no convention covers. */
export const SUITE_SPAN = {
  compressContext: `${NAMESPACE}.compress_context`,
  humanInput: `${NAMESPACE}.human_input`,
} as const;

/** Names of span events. */
export const SUITE_EVENT = {
  decision: `${NAMESPACE}.decision`,
  guardrail: `${NAMESPACE}.guardrail`,
  approval: `${NAMESPACE}.approval`,
  limit: `${NAMESPACE}.limit`,
  suspended: `${NAMESPACE}.suspended`,
  resumed: `${NAMESPACE}.resumed`,
  fault: `${NAMESPACE}.fault`,
} as const;

/** Metrics that no convention covers: each turn of an agent without its sub-agents. */
export const SUITE_METRIC = {
  agentSelfDuration: `${NAMESPACE}.invoke_agent.self_duration`,
  agentInputTokens: `${NAMESPACE}.invoke_agent.usage.input_tokens`,
  agentOutputTokens: `${NAMESPACE}.invoke_agent.usage.output_tokens`,
  agentCacheRead: `${NAMESPACE}.invoke_agent.usage.cache_read.input_tokens`,
  agentCacheWrite: `${NAMESPACE}.invoke_agent.usage.cache_write.input_tokens`,
  agentReasoning: `${NAMESPACE}.invoke_agent.usage.reasoning.output_tokens`,
} as const;
