import { CodedError, type ToolRequest } from "@suite/core";
import { type Check, callable, either, isObject, listOf, name } from "@suite/core/options";
import { isFinal } from "./failure.js";

/** The tools that are meant: their names, or a function that says so. */
export type ToolFilter = readonly string[] | ((request: ToolRequest) => boolean);

/** A filter of tools, as an option. */
export const toolFilter: Check = either(listOf(name), callable);

/** Compiles a filter of tools. */
export function toolMatcher(filter: ToolFilter): (request: ToolRequest) => boolean {
  if (typeof filter === "function") return filter;
  const names: ReadonlySet<string> = new Set(filter);
  return ({ tool }) => names.has(tool.name);
}

/** Codes of adapters and of the agent by which a tool was not run: a person refused, it waits, or there is no such tool. */
const notRun: ReadonlySet<unknown> = new Set([
  ...["ERR_AGENT_TOOL_REJECTED", "ERR_AGENT_TOOL_WAITS", "ERR_AGENT_TOOL_UNKNOWN", "ERR_AGENT_SUSPENDED_ELSEWHERE"],
  ...[
    "ERR_AGENT_DECISION_NOT_ALLOWED",
    "ERR_AI_SDK_TOOL_REJECTED",
    "ERR_AI_SDK_NO_PLACE",
    "ERR_OPENAI_AGENTS_NO_PLACE",
  ],
  ...["ERR_CANCELLED", "ERR_RUN_ENDED"],
]);

/** Names by which LangGraph stops a run that waits, or goes elsewhere: no failures. */
const notFailures: ReadonlySet<unknown> = new Set([
  ...["AbortError", "GraphBubbleUp", "GraphInterrupt", "NodeInterrupt", "ParentCommand"],
]);

/** Codes and names by which arguments are refused, before the tool runs: the same ones would be refused again. */
const refusals: ReadonlySet<unknown> = new Set([
  ...["ERR_AGENT_TOOL_INPUT", "ToolInvocationError", "ToolInputParsingException", "InvalidToolInputError"],
  ...["AI_InvalidToolInputError", "AI_NoSuchToolError"],
]);

/** Whether it is an error of the suite's own, whose message is made for the model, and which a plugin has decided on. */
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
