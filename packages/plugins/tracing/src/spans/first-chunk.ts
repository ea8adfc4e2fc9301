import type { Kind } from "@suite/core";
import type { CallSpan } from "./call-span.js";

/** Passes a pull on, and notes on the span how long the first one took to answer, in seconds, where it should say so. */
export function firstChunkTimer<K extends Kind>(span: CallSpan<K>): <T>(pull: Promise<T>) => Promise<T> {
  const attribute = span.heard ? span.shape.firstChunk?.(span.call) : undefined;
  if (attribute === undefined) return (pull) => pull;
  const start = performance.now();
  let waiting = true;
  return (pull) => {
    if (!waiting) return pull;
    waiting = false;
    return pull.then((step) => {
      if (span.open) span.say({ [attribute]: (performance.now() - start) / 1000 });
      return step;
    });
  };
}
