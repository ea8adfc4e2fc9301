import { createHash, randomBytes } from "node:crypto";
import { takeIdSource } from "../compensation/span-id.js";

/** `IdGenerator` of the SDK's versions 1 to 3. */
export interface IdGenerator {
  /** The id of a trace: 32 digits in base 16. */
  generateTraceId(): string;
  /** The id of a span: 16 digits in base 16. */
  generateSpanId(): string;
}

/** Bytes of a span id. */
const LENGTH = 8;

const random: IdGenerator = {
  generateTraceId: () => randomBytes(2 * LENGTH).toString("hex"),
  generateSpanId: () => randomBytes(LENGTH).toString("hex"),
};

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
