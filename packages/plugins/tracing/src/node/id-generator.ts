import { createHash, randomBytes } from "node:crypto";
import { takeIdSource } from "../compensation/span-id.js";

/** `IdGenerator` of the SDK's versions 1 to 3. */
export interface IdGenerator {
  /** Returns the id of a trace: 32 hexadecimal digits. */
  generateTraceId(): string;
  /** Returns the id of a span: 16 hexadecimal digits. */
  generateSpanId(): string;
}

/** Length of a span id in bytes. */
const LENGTH = 8;

const random: IdGenerator = {
  generateTraceId: () => randomBytes(2 * LENGTH).toString("hex"),
  generateSpanId: () => randomBytes(LENGTH).toString("hex"),
};

/**
 * Creates an id generator that makes ids of `inner`, except for spans of calls that ran elsewhere. Their ids are
 * derived from the trace, the requesting span and the call's id, so that the same span is emitted again by any process.
 *
 * `setupTracing` installs it. Pass it to your tracer provider if you create one.
 *
 * @example
 * ```ts
 * new NodeTracerProvider({ idGenerator: compensatingIdGenerator() });
 * ```
 */
export function compensatingIdGenerator(inner: IdGenerator = random): IdGenerator {
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
