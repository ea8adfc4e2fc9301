/** A promise that is settled from outside. A rejection without a listener is not reported as unhandled. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Creates a deferred promise. `Promise.withResolvers` is newer than Node 20. */
export function deferred<T>(): Deferred<T> {
  const result = {} as { -readonly [K in keyof Deferred<T>]: Deferred<T>[K] };
  result.promise = new Promise<T>((resolve, reject) => {
    result.resolve = resolve;
    result.reject = reject;
  });
  result.promise.catch(() => {});
  return result;
}
