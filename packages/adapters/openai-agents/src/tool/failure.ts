import { type CallId, MiddlewareTermination } from "@suite/core";
import { ambientStorage } from "@suite/core/framework";
import { OpenAIAgentsError } from "../errors.js";
import type { Invoke, SdkTool } from "../framework.js";
import { jsonOf } from "../json.js";

/** A tool's `errorFunction`: what the model is told of an error; null where errors end the run. */
export type ErrorFunction = ((context: unknown, error: unknown, details?: unknown) => unknown) | null;

/** The failure of a tool that answered all the same. */
export interface Failure {
  readonly error: unknown;
  /** The message that the model is told of it; undefined where the SDK has a message for everything. */
  readonly respond?: ((error: unknown) => unknown) | undefined;
}

/** The message that the SDK gives in the place of any error, unless a tool has an `errorFunction`. */
export const standardMessage = "An error occurred while running the tool. Please try again.";

const hiddenError =
  "The tool failed, or its arguments do not fit. The SDK keeps the error to itself. Make the tool with the `tool` of the module that withPlugins returns to see what it throws.";

/** A tool call at work. */
interface Working {
  readonly invoke: Invoke;
  failure?: Failure;
}

const working = new WeakMap<CallId, Working>();

/** Keeps of which tool the call is that begins now. */
export const noteCall = (call: CallId, invoke: Invoke): void => void working.set(call, { invoke });

/**
 * Keeps what was thrown inside of the tool call that the code is in: the SDK makes a text of it.
 *
 * @param invoke the tool's that threw: one that another calls by itself is dealt with by that.
 * @returns whether the call is of that tool.
 */
export function noteFailure(failure: Failure, invoke?: Invoke): boolean {
  const call = ambientStorage()?.getStore()?.call;
  const at = call && working.get(call);
  if (at === undefined || (invoke !== undefined && at.invoke !== invoke)) return false;
  at.failure = failure;
  return true;
}

/** The failure of a tool call that gave this; undefined where there was none. */
export function failureOf(call: CallId, given: unknown): Failure | undefined {
  const noted = working.get(call)?.failure;
  // An error that the tool itself has dealt with is none.
  if (noted?.respond !== undefined) return noted;
  if (given !== standardMessage) return undefined;
  return noted ?? { error: new OpenAIAgentsError("ERR_OPENAI_AGENTS_TOOL_FAILED", hiddenError) };
}

const errorFunctions = new WeakMap<object, ErrorFunction>();

export const noteErrorFunction = (tool: object, errorFunction: ErrorFunction): void =>
  void errorFunctions.set(tool, errorFunction);

/** The message for the model where a layer refused a call, or failed in it. @throws the error, where it ends the run. */
export function refusal(tool: SdkTool, error: unknown, context: unknown, details: unknown): unknown {
  const known = errorFunctions.get(tool);
  if (known === null || (known === undefined && tool.outputSchema !== undefined)) throw error;
  if (known !== undefined) return known(context, error, details);
  return MiddlewareTermination.is(error) ? error.message : standardMessage;
}

/**
 * The message for the model where a layer answered with failure: the value, of which a tool with an `errorFunction` makes its own text.
 *
 * @throws an error with the value as its cause, where the tool's errors end the run.
 */
export function toldOf(tool: SdkTool, value: unknown, context: unknown, details: unknown): unknown {
  const known = errorFunctions.get(tool);
  if (known === undefined) return value;
  const error = new Error(typeof value === "string" ? value : jsonOf(value), { cause: value });
  if (known === null) throw error;
  return known(context, error, details);
}
