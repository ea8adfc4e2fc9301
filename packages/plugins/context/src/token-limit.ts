import type { Plugin } from "@suite/core";
import { count } from "@suite/kit/options";
import { type BoundOptions, bounded, bounding } from "./bounded.js";
import { type CountOptions, counting, Sizes } from "./count.js";
import { checkOptions } from "./options.js";

/** The options of `tokenLimit`. */
export interface TokenLimitOptions extends BoundOptions, CountOptions {
  /** The most tokens that go to the model: of the system prompt, the tools and the messages. */
  readonly tokens: number;
}

/**
 * Bounds the tokens that go to the model: with the system prompt and the tools, the newest messages go, the newest of the
 * user always, and no tool call without its result. The history of the run stays whole.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`; in a run `ERR_CONTEXT_TOO_LARGE`, `ERR_CONTEXT_COUNT`
 * @example
 * ```ts
 * import { countTokens } from "gpt-tokenizer";
 * tokenLimit({ tokens: 100_000, countTokens: (text) => countTokens(text) });
 * ```
 */
export function tokenLimit(options: TokenLimitOptions): Plugin {
  const checked = checkOptions("tokenLimit", options, { ...bounding, ...counting, tokens: count }, ["tokens"]);
  const { tokens: maximum, name = `token-limit ${maximum}` } = options;
  const sizes = Sizes.ofTokens(options);
  return bounded({
    ...checked,
    name,
    unit: "tokens",
    maximum,
    sizeOf: (message) => sizes.message(message),
    fixed: ({ tools }, system) => sizes.messages(system) + sizes.tools(tools),
  });
}
