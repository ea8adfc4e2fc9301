/**
 * The suite's own names: what the conventions have no word for yet. Guardrails, approvals and pauses are open
 * proposals there, so every name stands here and nowhere else: taking over a standard one is one line.
 */
const NAMESPACE = "suite";

/** Attributes in the suite's namespace, two of the core conventions that those on GenAI do not list, and the tenant. */
export const OWN = {
  /** The user and the session, by core conventions in development: backends list traces by both. */
  userId: "user.id",
  sessionId: "session.id",
  /** No convention has a name for it. */
  tenantId: "tenant.id",
  /** The cost of a model call, by the prices that the user gave and in their currency. */
  usageCost: `${NAMESPACE}.usage.cost`,

  /** The status of a call that did not simply complete or fail: `suspended`, `cancelled`, `terminated`, `denied`, `expired`. */
  status: `${NAMESPACE}.status`,
  /** False where a layer answered, or refused, in place of the model, the tool or whatever was to be called. */
  reached: `${NAMESPACE}.reached`,
  /** `error.type` of what lies at the bottom of an error, such as `ECONNREFUSED`. */
  errorCause: `${NAMESPACE}.error.cause`,
  /** The HTTP status of an error, such as 429. */
  errorStatus: `${NAMESPACE}.error.status`,
  /** The run: the same before and after a suspension. */
  runId: `${NAMESPACE}.run.id`,

  /** The agent and the conversation, on spans for which the conventions list no `gen_ai.*` attribute of it. */
  agentName: `${NAMESPACE}.agent.name`,
  agentId: `${NAMESPACE}.agent.id`,
  agentVersion: `${NAMESPACE}.agent.version`,
  conversationId: `${NAMESPACE}.conversation.id`,

  /** Content was shortened to stay within the limit. */
  contentTruncated: `${NAMESPACE}.content.truncated`,

  /** The tool calls that a suspended run waits for, by what it waits for: names, and ids in the same order. */
  pendingApprovalTools: `${NAMESPACE}.pending.approval.tools`,
  pendingApprovalCallIds: `${NAMESPACE}.pending.approval.call_ids`,
  pendingExternalTools: `${NAMESPACE}.pending.external.tools`,
  pendingExternalCallIds: `${NAMESPACE}.pending.external.call_ids`,
  pendingInputTools: `${NAMESPACE}.pending.input.tools`,
  pendingInputCallIds: `${NAMESPACE}.pending.input.call_ids`,
  pendingReason: `${NAMESPACE}.pending.reason`,

  /** The purpose of a model call that a plugin made by itself. */
  modelPurpose: `${NAMESPACE}.model.purpose`,

  /** The number of an attempt, from 1, on the span of one that another took the place of. */
  attempt: `${NAMESPACE}.attempt`,

  /** The id of a call that waits: the conventions have one span per `gen_ai.tool.call.id`, and that is made of what comes of it. */
  toolCallId: `${NAMESPACE}.tool.call.id`,
  toolExternal: `${NAMESPACE}.tool.external`,
  /** The span is of the undo of that tool call, and not of the call. */
  toolUndo: `${NAMESPACE}.tool.undo`,
  approvalDecision: `${NAMESPACE}.approval.decision`,
  approvalBy: `${NAMESPACE}.approval.by`,

  guardrailPlugin: `${NAMESPACE}.guardrail.plugin`,
  guardrailPlace: `${NAMESPACE}.guardrail.place`,
  guardrailDecision: `${NAMESPACE}.guardrail.decision`,
  guardrailEnforced: `${NAMESPACE}.guardrail.enforced`,
  /** JSON: how often each type was found. */
  guardrailFindings: `${NAMESPACE}.guardrail.findings`,

  /** A plugin's decision of any kind; its details follow as `suite.decision.detail.NAME`. */
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

/** The names that Langfuse and OpenInference's converter read, though the conventions have other names, or none. */
export const BACKEND = {
  cacheCreationInputTokens: "gen_ai.usage.cache_creation.input_tokens",
  cost: "gen_ai.usage.cost",
} as const;

/**
 * Names of proposals to the GenAI conventions that were open in October 2026, which may change or never come: requests
 * 427 (guardrails), 535 (decisions on tool calls) and 445 (agents that pause).
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

/** Spans of what no convention covers. */
export const OWN_SPAN = {
  compressContext: `${NAMESPACE}.compress_context`,
  humanInput: `${NAMESPACE}.human_input`,
} as const;

/** Span events. */
export const OWN_EVENT = {
  decision: `${NAMESPACE}.decision`,
  guardrail: `${NAMESPACE}.guardrail`,
  approval: `${NAMESPACE}.approval`,
  limit: `${NAMESPACE}.limit`,
  suspended: `${NAMESPACE}.suspended`,
  resumed: `${NAMESPACE}.resumed`,
  fault: `${NAMESPACE}.fault`,
} as const;

/** Metrics of what no convention covers: each turn of an agent, its sub-agents left out. */
export const OWN_METRIC = {
  agentSelfDuration: `${NAMESPACE}.invoke_agent.self_duration`,
  agentInputTokens: `${NAMESPACE}.invoke_agent.usage.input_tokens`,
  agentOutputTokens: `${NAMESPACE}.invoke_agent.usage.output_tokens`,
  agentCacheRead: `${NAMESPACE}.invoke_agent.usage.cache_read.input_tokens`,
  agentCacheWrite: `${NAMESPACE}.invoke_agent.usage.cache_write.input_tokens`,
  agentReasoning: `${NAMESPACE}.invoke_agent.usage.reasoning.output_tokens`,
} as const;
