/** One listener of a signal, which tells the others. */
class Listeners extends Set<() => void> {
  handleEvent(): void {
    for (const listener of this) listener();
  }
}

const all = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` when the signal aborts, at once where it has, and gives back what takes it off again. However many
 * listen, they are one listener to the signal: tools that run at the same time share it, and Node warns of a leak from the
 * eleventh on. A listener must not throw.
 *
 * @example
 * ```ts
 * const off = onAbort(runtime.signal, () => socket.destroy());
 * ```
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const listeners = all.get(signal) ?? new Listeners();
  all.set(signal, listeners);
  if (listeners.size === 0) signal.addEventListener("abort", listeners);
  listeners.add(listener);
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) signal.removeEventListener("abort", listeners);
  };
}
