/** A promise that is settled from outside. A rejection without a listener is not reported as unhandled. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Creates a deferred promise. `Promise.withResolvers` is newer than Node 20. */
export function deferred<T>(): Deferred<T> {
  const made = {} as { -readonly [K in keyof Deferred<T>]: Deferred<T>[K] };
  made.promise = new Promise<T>((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  made.promise.catch(() => {});
  return made;
}
