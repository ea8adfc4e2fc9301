/** The source of the next span's id. Set only while that span is started. */
let source: string | undefined;

/**
 * Starts a span whose id is derived from `from`, so that another process that emits the span again uses the same id.
 * Works only with the id generator that `setupTracing` installs. With any other the id is random.
 */
export function withSpanIdOf<T>(from: string | undefined, start: () => T): T {
  source = from;
  try {
    return start();
  } finally {
    source = undefined;
  }
}

/** Returns and clears the source of the id that is being generated. */
export function takeIdSource(): string | undefined {
  const current = source;
  source = undefined;
  return current;
}
