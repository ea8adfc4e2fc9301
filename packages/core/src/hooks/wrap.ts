import type { Answer, Invocation } from "../contract/call.js";
import type { Chunk, Final, Request } from "../contract/kinds.js";
import type { Outcome } from "../contract/outcome.js";
import type { Plugin } from "../contract/plugin.js";
import type { CallNext } from "../contract/protocol.js";
import { type FunctionOptions, pluginOf } from "./plugin.js";

type Result<K extends "model" | "tool"> = Outcome<Chunk<K>, Final<K>>;

/**
 * A hook that receives the request and a handler. The handler makes the call and returns its outcome. It may be called
 * again, with the same or another request. The hook returns the answer: an outcome of the handler, or another answer.
 */
type Wrap<K extends "model" | "tool"> = (
  request: Request<K>,
  handler: (request: Request<K>) => Promise<Result<K>>,
  invocation: Invocation<K>,
) => Promise<Result<K> | Answer<K>>;

/**
 * Calls a function around each model call.
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

/** Calls a function around each tool call, like `wrapModelCall`. Return `{ value }` to answer instead of the tool. */
export const wrapToolCall = (wrap: Wrap<"tool">, options: FunctionOptions = {}): Plugin =>
  pluginOf("wrapToolCall", wrap, options, { tool: (invocation, callNext) => wrapped(wrap, invocation, callNext) });

async function wrapped<K extends "model" | "tool">(
  wrap: Wrap<K>,
  invocation: Invocation<K>,
  callNext: CallNext,
): Promise<void> {
  let innerResult: Result<K> | undefined;
  const handler = async (request: Request<K>): Promise<Result<K>> => {
    invocation.request = request;
    await callNext();
    innerResult = invocation.result as Result<K>;
    return innerResult;
  };
  const answer = await wrap(invocation.request, handler, invocation);
  if (answer === innerResult) return;
  if ("settled" in answer) invocation.respond({ stream: answer });
  else invocation.respond(answer);
}
