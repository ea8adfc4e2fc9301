import type { CallNext, Invocation, Kind } from "@suite/core";
import type { Instruments } from "./instruments.js";

type Hook<K extends Kind> = (invocation: Invocation<K>, callNext: CallNext) => Promise<void>;

/** Adds a measurement inside a hook. Without instruments it costs one comparison. */
export const withMetrics =
  <K extends Kind>(
    hook: Hook<K>,
    measure: (instruments: Instruments, ...call: Parameters<Hook<K>>) => Promise<void>,
    source: () => Instruments | undefined,
  ): Hook<K> =>
  (invocation, callNext) => {
    const instruments = source();
    return hook(invocation, instruments === undefined ? callNext : () => measure(instruments, invocation, callNext));
  };
