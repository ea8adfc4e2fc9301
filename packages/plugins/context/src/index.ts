export type { AskedModel } from "./ask.js";
export type { BoundOptions } from "./bounded.js";
export { type ClearToolUsesOptions, clearToolUses } from "./clear-tool-uses.js";
export { type ContentLimitOptions, contentLimit } from "./content-limit.js";
export {
  type ContextEdit,
  type ContextEditingOptions,
  contextEditing,
  type Edited,
  type EditHelp,
} from "./context-editing.js";
export type { CountOptions, CountTokens } from "./count.js";
export { type ContextOf, type DynamicContextOptions, dynamicContext } from "./dynamic-context.js";
export { ContextError, type ContextErrorCode } from "./errors.js";
export { type HistoryLimitOptions, historyLimit } from "./history-limit.js";
export type { ContextOptions } from "./options.js";
export { type PromptCacheOptions, promptCache } from "./prompt-cache.js";
export { type SummarizationOptions, summarization } from "./summarization.js";
export type { Summarize, ToSummarize } from "./summary/ask.js";
export type { ContextSize } from "./summary/thresholds.js";
export { type TaskReminderOptions, taskReminder } from "./task-reminder.js";
export { type TodoListOptions, todoList } from "./todo-list.js";
export { type Todo, todosKey } from "./todos.js";
export { type TokenLimitOptions, tokenLimit } from "./token-limit.js";
export { type ToolSearchOptions, toolSearch } from "./tool-search.js";
export { type ToolSelectorOptions, toolSelector } from "./tool-selector.js";
