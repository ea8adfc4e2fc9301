import { onAbort } from "@suite/core";

/** A signal of one request's own, which the SDK may keep listening to: it follows another until it is taken off. */
export function stopWith(signal: AbortSignal): { readonly signal: AbortSignal; off(): void } {
  const own = new AbortController();
  const off = onAbort(signal, () => own.abort(signal.reason));
  return { signal: own.signal, off };
}
