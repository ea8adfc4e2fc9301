import { CodedError, type ToolRequest } from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, callable, either, listOf, name } from "@suite/kit/options";
import { isFinal } from "./failure.js";

/** Selects tools: a list of names, or a predicate. */
export type ToolFilter = readonly string[] | ((request: ToolRequest) => boolean);

/** Checks a tool filter option. */
export const toolFilter: Check = either(listOf(name), callable);

/** Compiles a tool filter. */
export function toolMatcher(filter: ToolFilter): (request: ToolRequest) => boolean {
  if (typeof filter === "function") return filter;
  const names: ReadonlySet<string> = new Set(filter);
  return ({ tool }) => names.has(tool.name);
}

/** Error codes of adapters and the agent for a tool that was not run: refused by a person, suspended, or unknown. */
const notRun: ReadonlySet<unknown> = new Set([
  ...["ERR_AGENT_TOOL_REJECTED", "ERR_AGENT_TOOL_WAITS", "ERR_AGENT_TOOL_UNKNOWN", "ERR_AGENT_SUSPENDED_ELSEWHERE"],
  ...[
    "ERR_AGENT_DECISION_NOT_ALLOWED",
    "ERR_AI_SDK_TOOL_REJECTED",
    "ERR_AI_SDK_UNSUPPORTED",
    "ERR_OPENAI_AGENTS_UNSUPPORTED",
  ],
  ...["ERR_CANCELLED", "ERR_RUN_ENDED"],
]);

/** Names of the errors that suspend or redirect a run of LangGraph. They are not failures. */
const notFailures: ReadonlySet<unknown> = new Set([
  ...["AbortError", "GraphBubbleUp", "GraphInterrupt", "NodeInterrupt", "ParentCommand"],
]);

/** Codes and names of errors that reject arguments before the tool runs. A retry would be rejected again. */
const refusals: ReadonlySet<unknown> = new Set([
  ...["ERR_AGENT_TOOL_INPUT", "ToolInvocationError", "ToolInputParsingException", "InvalidToolInputError"],
  ...["AI_InvalidToolInputError", "AI_NoSuchToolError"],
]);

/**
 * Returns true for an error of the suite. Its message is meant for the model, and a plugin has already decided on it.
 */
export function isSuites(error: unknown): error is CodedError<string> {
  try {
    return error instanceof CodedError;
  } catch {
    return false; // a revoked proxy: anything can be thrown
  }
}

/** Whether arguments were refused. */
export const isInputRefusal = (error: unknown): boolean => hasOne(refusals, error);

/**
 * Whether a tool has failed, and nothing else has happened: the run was not stopped or aborted, no person has refused the
 * call, and it does not wait.
 */
export const isToolFailure = (error: unknown, signal: AbortSignal): boolean =>
  !isFinal(error, signal) && !hasOne(notRun, error) && !hasOne(notFailures, error);

function hasOne(words: ReadonlySet<unknown>, error: unknown): boolean {
  try {
    return isObject(error) && (words.has(error.code) || words.has(error.name));
  } catch {
    return false; // anything can be thrown, also what throws when it is looked at
  }
}
