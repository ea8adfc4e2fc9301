/** The names that most plugins need. The other names of the contract are in `@suite/core/contract`. */
export { onAbort } from "./abort.js";
export { CodedError } from "./coded-error.js";
export type { AnyInvocation, Invocation } from "./contract/call.js";
export type {
  AgentRequest,
  CallId,
  Final,
  Kind,
  ModelRequest,
  Request,
  Tool,
  ToolRequest,
} from "./contract/kinds.js";
export type { Notification } from "./contract/notification.js";
export type { Emit, Outcome, RunSettlement, Settlement, Stage } from "./contract/outcome.js";
export { definePlugin, type HookName, type Plugin } from "./contract/plugin.js";
export type { Awaitable, CallNext, Middleware, MiddlewareProtocol } from "./contract/protocol.js";
export { type Redactor, redactorOf } from "./contract/redactor.js";
export { outermost, type RuntimeContext } from "./contract/runtime.js";
export { signalOf } from "./contract/signal.js";
export { type StateKey, stateKey, treeKey } from "./contract/state-key.js";
export type { StateStore } from "./contract/store.js";
export { MiddlewareTermination } from "./contract/termination.js";
export { usageOf } from "./contract/usage.js";
export { resultKey, Values } from "./contract/values.js";
export { MiddlewarePipeline } from "./engine/pipeline.js";
export { CoreError, type CoreErrorCode } from "./errors.js";
export { message, override, text, toolCall, toolCallResponse } from "./messages/build.js";
export type { Delta } from "./messages/delta.js";
export type { Message, Part, Reply, Usage } from "./messages/message.js";
export { textOf, toolCallsOf } from "./messages/read.js";
