import type { Answer, Invocation } from "../contract/call.js";
import type { Chunk, Final, Request } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { CallNext } from "../contract/protocol.js";
import { type FunctionOptions, pluginOf } from "./plugin.js";

type Result<K extends "model" | "tool"> = Outcome<Chunk<K>, Final<K>>;

/**
 * A hook that is given the request, and a handler that makes the call and gives its outcome. The handler may be called
 * again, with the same or another request. What is returned is the answer: an outcome that the handler gave, or one of
 * your own.
 */
type Wrap<K extends "model" | "tool"> = (
  request: Request<K>,
  handler: (request: Request<K>) => Promise<Result<K>>,
  invocation: Invocation<K>,
) => Promise<Result<K> | Answer<K>>;

/**
 * A function round each model call.
 *
 * @example
 * ```ts
 * wrapModelCall(async (request, handler) => {
 *   try {
 *     const outcome = await handler(request);
 *     await outcome.ready();
 *     return outcome;
 *   } catch {
 *     return handler(override(request, { model: "a-smaller-model" }));
 *   }
 * });
 * ```
 */
export const wrapModelCall = (wrap: Wrap<"model">, options: FunctionOptions = {}): Plugin =>
  pluginOf("wrapModelCall", wrap, options, { model: (invocation, callNext) => wrapped(wrap, invocation, callNext) });

/** A function round each tool call, as `wrapModelCall`. Return `{ value }` to answer in the tool's place. */
export const wrapToolCall = (wrap: Wrap<"tool">, options: FunctionOptions = {}): Plugin =>
  pluginOf("wrapToolCall", wrap, options, { tool: (invocation, callNext) => wrapped(wrap, invocation, callNext) });

async function wrapped<K extends "model" | "tool">(
  wrap: Wrap<K>,
  invocation: Invocation<K>,
  callNext: CallNext,
): Promise<void> {
  let given: Result<K> | undefined;
  const handler = async (request: Request<K>): Promise<Result<K>> => {
    invocation.request = request;
    await callNext();
    given = invocation.result as Result<K>;
    return given;
  };
  const answer = await wrap(invocation.request, handler, invocation);
  if (answer === given) return;
  if ("settled" in answer) invocation.respond({ stream: answer });
  else invocation.respond(answer);
}
