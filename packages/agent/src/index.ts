export type { ApprovalRule } from "@suite/core/contract";
export type { SigningKey } from "@suite/kit/digest";
export { Agent, createAgent } from "./agent.js";
export { withPlugins } from "./attach.js";
export { AgentError, type AgentErrorCode } from "./errors.js";
export type { Model, ModelCallOptions } from "./models/model.js";
export type {
  AgentInput,
  AgentOptions,
  AgentRunOptions,
  AnsweredRound,
  CompressContext,
  InterruptedRun,
  ResumeOptions,
} from "./options.js";
export {
  answer,
  approve,
  cancel,
  type Decision,
  type Resumption,
  reject,
  respond,
  result,
} from "./pending/decisions.js";
export type { PendingCall, PendingState } from "./pending/state.js";
export { memoryResumeStore, type ResumeStore } from "./pending/store.js";
export type { AgentResult, CompletedResult, SuspendedResult } from "./result.js";
export { AgentStream, type Partially } from "./run/stream.js";
export type { Approval } from "./tools/approval.js";
export type { AsToolOptions } from "./tools/inner.js";
export type { InnerProgress } from "./tools/inner-progress.js";
export type { InputSchema, JsonSchema } from "./tools/schema.js";
export { type AgentTool, askPerson, defineTool, type ToolDefinition, type ToolMemory } from "./tools/tool.js";
export type { AgentTotals, ModelTotals, RunTotals, Totals } from "./totals/totals.js";
export { type WithinWorkflow, type WorkflowOptions, type WorkflowRunOptions, workflow } from "./workflow/workflow.js";
