import { type Awaitable, definePlugin, type Outcome, type Plugin, type ToolRequest } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { callable, common } from "@suite/kit/options";
import { ResilienceError } from "./errors.js";
import { type ErrorFilter, errorFilter, matcherOf, nameOf } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";
import { isInputRefusal, isSuites, isToolFailure, type ToolFilter, toolFilter, toolMatcher } from "./tool-failure.js";

/** Returns the text that the model receives for an error. If it returns `undefined`, the error is not changed. */
export type ToolErrorText = (error: unknown, request: ToolRequest) => Awaitable<string | undefined>;

/** The options of `toolErrors`. */
export interface ToolErrorsOptions extends ResilienceOptions {
  /** The tools whose errors are handled. Default: all. */
  readonly tools?: ToolFilter;
  /**
   * The errors that are converted. Default: all errors of tools. Errors of the suite (such as a time-out) and of
   * invalid arguments already have messages for the model, and are left to the framework.
   */
  readonly errors?: ErrorFilter;
  /**
   * Returns the text for the model. Default: the name of the tool and the name of the error, never the error's message.
   */
  readonly text?: ToolErrorText;
}

/**
 * Converts a tool's error to a message for the model, so that the run continues and no tool call is left without a
 * result. All other errors pass unchanged, including refusals by a person, aborts, suspended calls and intentional
 * stops. The model never receives a stack trace, and only the error's name unless `text` returns more.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * toolErrors({ errors: NotFoundError, text: (error, { tool }) => `${tool.name} found nothing. Ask the user for the number.` });
 * ```
 */
export function toolErrors(options: ToolErrorsOptions = {}): Plugin {
  options = checkOptions("toolErrors", options, { ...common, tools: toolFilter, errors: errorFilter, text: callable });
  const { name = "toolErrors", mode = "enforce", text = standardText } = options;
  const isSelected = options.tools === undefined ? () => true : toolMatcher(options.tools);
  const isConverted = matcherOf(options.errors, isErrorOfTool);
  const enforced = mode === "enforce";

  return definePlugin({
    name,
    settings: { mode },
    async tool(invocation, callNext) {
      const { runtime, call } = invocation;
      /** Returns the text for an error, or `undefined` if the error must pass. */
      const textFor = async (error: unknown): Promise<string | undefined> => {
        const { request, signal } = invocation;
        if (!isToolFailure(error, signal) || !isSelected(request) || !isConverted(error)) return undefined;
        const errorText = await text(error, request);
        if (errorText === undefined) return undefined;
        const place = request.tool.name;
        const reason = `the tool failed: ${nameOf(error)}`;
        runtime.notify({ type: "decision", plugin: name, decision: "told", enforced, call, place, reason });
        return enforced ? errorText : undefined;
      };
      try {
        await callNext();
      } catch (error) {
        const errorText = await textFor(error);
        if (errorText === undefined) throw error;
        return invocation.respond({ value: errorText, isError: true });
      }
      const { result } = invocation;
      if (result?.streaming === true) invocation.respond({ stream: withConvertedError(result, textFor) });
    },
  });
}

/**
 * Streams a tool's progress, and throws its error with the converted text. A stream that has begun cannot become an
 * error result.
 */
async function* withConvertedError(
  outcome: Outcome<unknown, unknown>,
  textFor: (error: unknown) => Promise<string | undefined>,
): AsyncGenerator<unknown, Suspended | undefined> {
  try {
    return yield* outcome;
  } catch (error) {
    const errorText = await textFor(error);
    throw errorText === undefined
      ? error
      : new ResilienceError("ERR_RESILIENCE_TOOL_FAILED", errorText, { cause: error });
  }
}

const isErrorOfTool = (error: unknown): boolean => !isSuites(error) && !isInputRefusal(error);

const standardText: ToolErrorText = (error, { tool }) =>
  `${tool.name} failed with ${nameOf(error)}. Continue without it, or try other arguments.`;
