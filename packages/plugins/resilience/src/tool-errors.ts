import { type Awaitable, definePlugin, type Outcome, type Plugin, type Suspended, type ToolRequest } from "@suite/core";
import { callable, common } from "@suite/core/options";
import { ResilienceError } from "./errors.js";
import { type ErrorFilter, errorFilter, matcherOf, nameOf } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";
import { isInputRefusal, isSuites, isToolFailure, type ToolFilter, toolFilter, toolMatcher } from "./tool-failure.js";

/** The text that the model is told of an error; undefined leaves the error as it is. */
export type ToolErrorText = (error: unknown, request: ToolRequest) => Awaitable<string | undefined>;

/** The options of `toolErrors`. */
export interface ToolErrorsOptions extends ResilienceOptions {
  /** The tools whose errors are meant. Default: all. */
  readonly tools?: ToolFilter;
  /**
   * The errors that become messages to the model. Default: all errors of tools. Those of the suite (a timeout, say) and those
   * of arguments that were refused have messages that are made for the model, and are left to the framework.
   */
  readonly errors?: ErrorFilter;
  /** The text that the model is told. Default: which tool failed, and the name of its error, never the error's message. */
  readonly text?: ToolErrorText;
}

/**
 * Makes a message to the model of a tool's error, so that the run goes on and no tool call is left without an answer. All
 * other errors pass unchanged, and so do a person's refusal, an abort, a call that waits, and what was stopped on purpose.
 * A stack trace is never told, and nothing of the error but its name, unless `text` says so.
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
  const isMeant = options.tools === undefined ? () => true : toolMatcher(options.tools);
  const becomesText = matcherOf(options.errors, isToolsOwn);
  const enforced = mode === "enforce";

  return definePlugin({
    name,
    settings: { mode },
    async tool(invocation, callNext) {
      const { runtime, call } = invocation;
      /** The text for an error; undefined where it is to pass. */
      const textFor = async (error: unknown): Promise<string | undefined> => {
        const { request, signal } = invocation;
        if (!isToolFailure(error, signal) || !isMeant(request) || !becomesText(error)) return undefined;
        const told = await text(error, request);
        if (told === undefined) return undefined;
        const place = request.tool.name;
        const reason = `the tool failed: ${nameOf(error)}`;
        runtime.notify({ type: "decision", plugin: name, decision: "told", enforced, call, place, reason });
        return enforced ? told : undefined;
      };
      try {
        await callNext();
      } catch (error) {
        const told = await textFor(error);
        if (told === undefined) throw error;
        return invocation.respond({ value: told, isError: true });
      }
      const { result } = invocation;
      if (result?.streaming === true) invocation.respond({ stream: toldIn(result, textFor) });
    },
  });
}

/** A tool's progress, and its error, if it has one, with other words: an answer under way cannot be made one of failure. */
async function* toldIn(
  outcome: Outcome<unknown, unknown>,
  textFor: (error: unknown) => Promise<string | undefined>,
): AsyncGenerator<unknown, Suspended | undefined> {
  try {
    return yield* outcome;
  } catch (error) {
    const told = await textFor(error);
    throw told === undefined ? error : new ResilienceError("ERR_RESILIENCE_TOOL_FAILED", told, { cause: error });
  }
}

const isToolsOwn = (error: unknown): boolean => !isSuites(error) && !isInputRefusal(error);

const standardText: ToolErrorText = (error, { tool }) =>
  `${tool.name} failed with ${nameOf(error)}. Go on without it, or try other arguments.`;
