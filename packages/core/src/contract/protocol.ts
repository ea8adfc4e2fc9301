/** A value or a promise of it. Hot paths `await` only promises. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Runs everything further in. Await it. A layer may call it again (retry), or not at all (to answer itself). */
export type CallNext = () => Promise<void>;

/**
 * The one protocol of the suite: the context is the payload, nothing is returned.
 *
 * Code before `callNext()` sees the request, code after it sees the result. A layer that does not call it answers
 * instead of the inner layers. A layer that throws `MiddlewareTermination` ends the call.
 *
 * @example
 * ```ts
 * const timing: MiddlewareProtocol<Invocation<"model">> = {
 *   async process(context, callNext) {
 *     const start = performance.now();
 *     await callNext();
 *     context.pipe({ settle: () => console.log(performance.now() - start) });
 *   },
 * };
 * ```
 */
export interface MiddlewareProtocol<in Context> {
  process(context: Context, callNext: CallNext): Promise<void>;
}

/** A layer: an object with `process`, or only that function. */
export type Middleware<Context> = MiddlewareProtocol<Context> | MiddlewareProtocol<Context>["process"];
