import { definePlugin, type Final, MiddlewareTermination, override, type Plugin } from "@suite/core";
import { listOf, name as named } from "@suite/kit/options";
import { type InjectionOptions, injectionChecks, judgeOf } from "./injection/options.js";
import { checkOptions } from "./options.js";
import { nameTest } from "./policy/decide.js";
import { type At, TextGuard } from "./texts/guard.js";
import { ResultsInRequests } from "./texts/results.js";

/** The options of `toolResults`. */
export interface ToolResultsOptions extends InjectionOptions {
  /** The tools whose results are checked, by name; `*` matches any characters. Default: all. */
  readonly tools?: readonly string[];
}

/**
 * Checks tool results before they are sent to the model: injected instructions, hidden text, links that leak data, and
 * size. Also checks errors thrown by tools, and retrieved documents. Results of tools that ran elsewhere are checked in
 * the requests that contain them.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`
 * @example
 * ```ts
 * toolResults({ action: "redact", allowedHosts: ["example.com"] });
 * ```
 */
export function toolResults(options: ToolResultsOptions = {}): Plugin {
  options = checkOptions("toolResults", options, { ...injectionChecks, tools: listOf(named) });
  const { name = "toolResults", mode = "enforce", action = "block", onFailure = "closed", threshold = 0.5 } = options;
  const enforced = mode === "enforce";
  const guard = new TextGuard({ name, action, enforced, onFailure, judge: judgeOf(options) });
  const names = options.tools?.map(nameTest);
  const isSelected = (tool: string): boolean => names === undefined || names.some((test) => test(tool));

  const results = new ResultsInRequests({ name, guard, isSelected, withheld });

  return definePlugin({
    name,
    inSubAgents: true,
    whereOffered: ["tool", "retrieval", "compressContext"],
    settings: { mode, action, onFailure, threshold },
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const messages = results.look(request.messages, { runtime, call });
      if (messages !== request.messages) invocation.request = { ...request, messages };
      await callNext();
    },
    async compressContext(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const messages = results.look(request.messages, { runtime, call });
      if (messages !== request.messages) invocation.request = override(request, { messages });
      await callNext();
    },
    async tool(invocation, callNext) {
      const { runtime, call, request } = invocation;
      const tool = request.tool.name;
      if (!isSelected(tool)) return callNext();
      const at: At = { place: "tool_result", runtime, call, details: { tool } };
      const look = (toolResult: unknown): unknown => {
        const passed = guard.look(toolResult, at);
        const value = passed.blocked ? withheld(tool) : passed.value;
        results.passed(value, runtime);
        return value;
      };
      try {
        await callNext();
      } catch (error) {
        // The model receives a tool's error message. Intentional stops pass.
        if (MiddlewareTermination.is(error)) throw error;
        const errorText = messageOf(error);
        if (typeof errorText !== "string") throw error;
        const value = look(errorText);
        if (value === errorText) throw error;
        return invocation.respond({ value, isError: true });
      }
      invocation.pipe({
        chunk: (chunk, emit) => emit(look(chunk)),
      });
    },
    async retrieval(invocation, callNext) {
      await callNext();
      const { runtime, call } = invocation;
      invocation.pipe({
        chunk(found, emit) {
          const documents = found.documents.flatMap((document) => {
            const passed = guard.look(document, { place: "retrieval", runtime, call });
            return passed.blocked ? [] : [passed.value as typeof document];
          });
          const same =
            documents.length === found.documents.length &&
            documents.every((each, index) => each === found.documents[index]);
          emit(same ? found : ({ ...found, documents } satisfies Final<"retrieval">));
        },
      });
    },
  } satisfies Plugin as Plugin);
}

const withheld = (tool: string): string =>
  `The result of ${tool} was withheld: it contains text that tries to instruct you, or cannot be checked.`;

/** Returns the message of an error, or `undefined` if it cannot be read; then the model does not receive it either. */
function messageOf(error: unknown): unknown {
  try {
    return error instanceof Error ? error.message : error;
  } catch {
    return undefined;
  }
}
