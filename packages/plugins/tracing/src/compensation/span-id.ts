/** The source of the next span's id; set only while that span is started. */
let source: string | undefined;

/**
 * Starts a span whose id is to be made of `from`, so that another process which emits it again emits the same span.
 * It takes an id generator that asks: the one that `setupTracing` installs. With any other the id is random.
 */
export function withSpanIdOf<T>(from: string | undefined, start: () => T): T {
  source = from;
  try {
    return start();
  } finally {
    source = undefined;
  }
}

/** The source of the id that the id generator is asked for. Told once. */
export function takeIdSource(): string | undefined {
  const taken = source;
  source = undefined;
  return taken;
}
