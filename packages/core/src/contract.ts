/** The names of the contract that few plugins need: requests of all kinds, notifications, approvals, suspension, stores. */
export type { ApprovalRequest, ApprovalRule, ApprovalVerdict } from "./contract/approval.js";
export type { Branch } from "./contract/call.js";
export type {
  CacheMark,
  Chunk,
  CompressContextRequest,
  HumanInputRequest,
  Kinds,
  McpCall,
  ModelSettings,
  ReasoningRequest,
  ToolChoice,
  ToolSteps,
  UndoTool,
} from "./contract/kinds.js";
export type {
  ApprovalNotification,
  AttemptNotification,
  Decided,
  DecisionNotification,
  ExternalResultNotification,
  FaultNotification,
  GuardrailNotification,
  LimitNotification,
  SuspensionNotification,
  UndoNotification,
} from "./contract/notification.js";
export { type Hooks, type PluginInfo, pluginsKey } from "./contract/plugin.js";
export { type ReplaceValue, redactorsKey } from "./contract/redactor.js";
export type {
  AgentInfo,
  Ask,
  AskOptions,
  AskRequest,
  CallMemory,
  MemoryOptions,
  RunTools,
} from "./contract/runtime.js";
export type * from "./contract/search.js";
export { type Durable, sharedKey } from "./contract/state-key.js";
export type { Added, Expiry, StoredValue } from "./contract/store.js";
export type { ApprovalDecision, Pending, Suspended } from "./contract/suspension.js";
export type { TerminationOptions, TerminationScope } from "./contract/termination.js";
