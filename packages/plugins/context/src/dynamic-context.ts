import { type Awaitable, definePlugin, type Plugin, type RuntimeContext } from "@suite/core";
import { callable, count, oneOf, name as text } from "@suite/kit/options";
import { checkOptions, invalid } from "./options.js";
import { middleOut } from "./text.js";

/** Returns text for the system prompt of a model call. `undefined` or an empty string adds nothing. */
export type ContextOf = (runtime: RuntimeContext) => Awaitable<string | undefined>;

/** The options of `dynamicContext`. */
export interface DynamicContextOptions {
  /** The name on spans and in records. Default: `dynamic-context`. */
  readonly name?: string;
  /** A heading before the text. */
  readonly heading?: string;
  /** The maximum number of characters of the text. The middle of a longer one is removed. Default: 20 000. */
  readonly maxCharacters?: number;
  /**
   * Behavior if the function fails. `closed` (default): the call fails with its error. `open`: the call is made
   * without the text, and a `decision` is reported.
   */
  readonly onError?: "closed" | "open";
}

/**
 * Appends text to the system prompt, computed for each model call: the time, the user, the state of a document.
 * Changing text changes the beginning of the request, which providers cache. Place the most variable text last in the
 * list.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`
 * @example
 * ```ts
 * dynamicContext(({ userId }) => `The user is ${userId}. Today is ${new Date().toDateString()}.`);
 * ```
 */
export function dynamicContext(of: ContextOf, options: DynamicContextOptions = {}): Plugin {
  if (callable(of) !== undefined) throw invalid("dynamicContext() takes a function that returns a string.");
  const checks = { name: text, heading: text, maxCharacters: count, onError: oneOf("closed", "open") };
  options = checkOptions("dynamicContext", options, checks);
  const { name = "dynamic-context", heading, maxCharacters = 20_000, onError = "closed" } = options;

  const added = (prompt: string, addition: string | undefined): string => {
    if (addition === undefined || addition === "") return prompt;
    const more = middleOut(addition, maxCharacters);
    return [prompt, heading === undefined ? more : `${heading}\n${more}`].filter((each) => each !== "").join("\n\n");
  };
  const without = (runtime: RuntimeContext, prompt: string): string => {
    runtime.notify({ type: "decision", plugin: name, decision: "fail_open", enforced: true, place: "system_prompt" });
    return prompt;
  };

  return definePlugin({
    name,
    settings: { maxCharacters, onError },
    systemPrompt(prompt, runtime) {
      if (onError === "closed") {
        const addition = of(runtime);
        return typeof addition === "object" ? addition.then((each) => added(prompt, each)) : added(prompt, addition);
      }
      return (async () => {
        try {
          return added(prompt, await of(runtime));
        } catch {
          runtime.signal.throwIfAborted();
          return without(runtime, prompt);
        }
      })();
    },
  });
}
