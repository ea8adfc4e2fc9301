/** A value, or a promise of it. Hot paths `await` only what is a promise. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Runs everything further in. Await it. It may be called again (retry), or not at all (answer in its place). */
export type CallNext = () => Promise<void>;

/**
 * The one protocol of the suite: the context is the payload, nothing is returned.
 *
 * What runs before `callNext()` sees the request, what runs after it sees the result. A layer that does not
 * call it answers in place of the inner layers; one that throws `MiddlewareTermination` ends the call.
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

/** A layer: an object with `process`, or that function on its own. */
export type Middleware<Context> = MiddlewareProtocol<Context> | MiddlewareProtocol<Context>["process"];
