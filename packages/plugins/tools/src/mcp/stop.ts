import { onAbort } from "@suite/core";

/** Creates a signal for one request that follows another until `off` is called. The SDK may keep listening to it. */
export function stopWith(signal: AbortSignal): { readonly signal: AbortSignal; off(): void } {
  const controller = new AbortController();
  const off = onAbort(signal, () => controller.abort(signal.reason));
  return { signal: controller.signal, off };
}
