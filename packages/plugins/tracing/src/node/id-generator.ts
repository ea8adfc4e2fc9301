import { createHash } from "node:crypto";
import { type IdGenerator, RandomIdGenerator } from "@opentelemetry/sdk-trace-node";
import { takeIdSource } from "../compensation/span-id.js";

/** Bytes of a span id. */
const LENGTH = 8;

/**
 * Random ids, as `inner` gives them, but for spans of calls that ran elsewhere: theirs are made of the trace, the span
 * that asked and the call's id, so that one which is emitted again, by whichever process, is the same span.
 *
 * `setupTracing` installs it. Give it to your own provider, where you have one.
 *
 * @example
 * ```ts
 * new NodeTracerProvider({ idGenerator: compensatingIdGenerator() });
 * ```
 */
export function compensatingIdGenerator(inner: IdGenerator = new RandomIdGenerator()): IdGenerator {
  return {
    generateTraceId: () => inner.generateTraceId(),
    generateSpanId() {
      const source = takeIdSource();
      if (source === undefined) return inner.generateSpanId();
      return createHash("sha256")
        .update(source)
        .digest("hex")
        .slice(0, 2 * LENGTH);
    },
  };
}
