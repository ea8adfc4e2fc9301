/** The single event listener of a signal. It calls all others. */
class Listeners extends Set<() => void> {
  handleEvent(): void {
    for (const listener of this) listener();
  }
}

const all = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` when the signal aborts, or at once if it has aborted. Returns a function that removes the listener.
 * All listeners of a signal share one event listener: tools that run at the same time share the signal, and Node warns
 * of a leak from the eleventh event listener on. A listener must not throw.
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
