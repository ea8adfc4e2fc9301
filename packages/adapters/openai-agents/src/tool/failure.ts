import { type CallId, MiddlewareTermination } from "@suite/core";
import { ambientStorage } from "@suite/core/framework";
import { OpenAIAgentsError } from "../errors.js";
import type { Invoke, SdkTool } from "../framework.js";
import { jsonOf } from "../json.js";

/** The `errorFunction` of a tool: returns the model's message for an error. `null` if errors end the run. */
export type ErrorFunction = ((context: unknown, error: unknown, details?: unknown) => unknown) | null;

/** The failure of a tool that nevertheless returned an answer. */
export interface Failure {
  readonly error: unknown;
  /** Returns the model's message for the error. `undefined` if the SDK's standard message is used. */
  readonly respond?: ((error: unknown) => unknown) | undefined;
}

/** The message that the SDK returns for any error if a tool has no `errorFunction`. */
export const standardMessage = "An error occurred while running the tool. Please try again.";

const hiddenError =
  "The tool failed, or its arguments do not match its schema. The SDK does not expose the error. Create the tool with the `tool` of the module that withPlugins returns to see what it throws.";

/** A running tool call. */
interface Working {
  readonly invoke: Invoke;
  failure?: Failure;
}

const working = new WeakMap<CallId, Working>();

/** Stores the tool of a call that begins now. */
export const noteCall = (call: CallId, invoke: Invoke): void => void working.set(call, { invoke });

/**
 * Stores an error that was thrown inside the current tool call, because the SDK converts it to a string.
 *
 * @param invoke the function of the tool that threw. A tool that another tool calls directly is handled by that one.
 * @returns whether the call belongs to that tool.
 */
export function noteFailure(failure: Failure, invoke?: Invoke): boolean {
  const call = ambientStorage()?.getStore()?.call;
  const at = call && working.get(call);
  if (at === undefined || (invoke !== undefined && at.invoke !== invoke)) return false;
  at.failure = failure;
  return true;
}

/** Returns the failure of a tool call that returned this value, or `undefined` if it did not fail. */
export function failureOf(call: CallId, value: unknown): Failure | undefined {
  const noted = working.get(call)?.failure;
  // An error that the tool has handled itself is not a failure.
  if (noted?.respond !== undefined) return noted;
  if (value !== standardMessage) return undefined;
  return noted ?? { error: new OpenAIAgentsError("ERR_OPENAI_AGENTS_TOOL_FAILED", hiddenError) };
}

const errorFunctions = new WeakMap<object, ErrorFunction>();

export const noteErrorFunction = (tool: object, errorFunction: ErrorFunction): void =>
  void errorFunctions.set(tool, errorFunction);

/**
 * Returns the model's message for a call that failed in a layer, or that a layer refused. @throws the error, if errors
 * of the tool end the run.
 */
export function refusal(tool: SdkTool, error: unknown, context: unknown, details: unknown): unknown {
  const known = errorFunctions.get(tool);
  if (known === null || (known === undefined && tool.outputSchema !== undefined)) throw error;
  if (known !== undefined) return known(context, error, details);
  return MiddlewareTermination.is(error) ? error.message : standardMessage;
}

/**
 * Returns the model's message for a layer's answer with a failure: the value, or the result of the tool's
 * `errorFunction`.
 *
 * @throws an error with the value as its cause, if errors of the tool end the run.
 */
export function messageOfFailure(tool: SdkTool, value: unknown, context: unknown, details: unknown): unknown {
  const known = errorFunctions.get(tool);
  if (known === undefined) return value;
  const error = new Error(typeof value === "string" ? value : jsonOf(value), { cause: value });
  if (known === null) throw error;
  return known(context, error, details);
}
