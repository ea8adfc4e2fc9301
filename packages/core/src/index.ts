export { onAbort } from "./abort.js";
export { CodedError } from "./coded-error.js";
export type { Accepted, AcceptedPlugins, RequiredHooks } from "./contract/adapter.js";
export type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "./contract/approval.js";
export type { Answer, AnyInvocation, Branch, Invocation } from "./contract/call.js";
export type { RunIdentity, WithPluginsOptions } from "./contract/identity.js";
export type * from "./contract/kinds.js";
export type * from "./contract/notification.js";
export type { Emit, Outcome, RunSettlement, Settlement, Stage } from "./contract/outcome.js";
export {
  definePlugin,
  type HookName,
  type Hooks,
  type Plugin,
  type PluginInfo,
  pluginsKey,
} from "./contract/plugin.js";
export {
  type Carrier,
  type Incoming,
  incomingKey,
  type PropagationTarget,
  type Propagator,
  propagate,
  propagatorsKey,
} from "./contract/propagation.js";
export type { Awaitable, CallNext, Middleware, MiddlewareProtocol } from "./contract/protocol.js";
export { type Redactor, type ReplaceValue, redactorOf, redactorsKey } from "./contract/redactor.js";
export {
  type AgentInfo,
  type Ask,
  type AskOptions,
  type AskRequest,
  type CallMemory,
  type MemoryOptions,
  outermost,
  type RunTools,
  type RuntimeContext,
} from "./contract/runtime.js";
export type * from "./contract/search.js";
export { signalOf } from "./contract/signal.js";
export { setSpanOf, spanOf } from "./contract/span.js";
export { type Durable, type StateKey, sharedKey, stateKey, treeKey } from "./contract/state-key.js";
export type { Added, Expiry, StateStore, StoredValue } from "./contract/store.js";
export type { ApprovalDecision, Pending, Suspended } from "./contract/suspension.js";
export { MiddlewareTermination, type TerminationOptions, type TerminationScope } from "./contract/termination.js";
export { usageKey, usageOf } from "./contract/usage.js";
export { resultKey, Values } from "./contract/values.js";
export { assembleReply, explodeReply } from "./engine/codec.js";
export { MiddlewarePipeline } from "./engine/pipeline.js";
export { CoreError, type CoreErrorCode } from "./errors.js";
export { message, override, text, toolCall, toolCallResponse } from "./messages/build.js";
export type * from "./messages/delta.js";
export type * from "./messages/message.js";
export { textOf, toolCallsOf, unansweredCalls } from "./messages/read.js";
export { type ContentPart, type ToolContent, toolContent, toolContentOf } from "./messages/tool-content.js";
