import { PiiError } from "../../errors.js";
import type { Match } from "../../scan/recogniser.js";
import type { Engine, Treatment } from "../engine.js";
import type { TextStream } from "../stream/text-stream.js";
import { treatValue } from "../value.js";
import { preparedEngine } from "./engine.js";
import type { Prepared } from "./prepared.js";

/** Options of an async call: what may end the wait for a recogniser before its time is up. */
export interface AsyncOptions {
  /** The promise is then rejected with its reason. */
  readonly signal?: AbortSignal;
}

/** The methods of a redactor for rules whose recognisers have to be waited for; others may be among them. */
export interface AsyncRedactor {
  detectAsync(text: string, options?: AsyncOptions): Promise<Match[]>;
  redactAsync(text: string, options?: AsyncOptions): Promise<string>;
  /** Refuses a promise as the value. */
  valueAsync(value: unknown, options?: AsyncOptions): Promise<unknown>;
  streamAsync(options?: AsyncOptions): AsyncStream;
}

/**
 * The stream that redacts text in chunks with async rules. The joined results equal `redactAsync` of the whole text.
 */
export interface AsyncStream {
  /**
   * The text that is decided by now. A further chunk may come before it is settled: chunks are treated in their order.
   */
  push(chunk: string): Promise<string>;
  /** The rest. */
  end(): Promise<string>;
}

/** Creates the redactor for rules with async recognisers. @param refuse Throws if streams are not possible. */
export function asyncRedactorOf(engine: Engine, treatment: Treatment, refuse: () => void): AsyncRedactor {
  const run = async <T>(step: (engine: Engine) => T, { signal }: AsyncOptions = {}): Promise<T> => {
    signal?.throwIfAborted();
    return preparedEngine(engine, signal).run(step) as Promise<T>;
  };
  return {
    detectAsync: (text, options) => run((ready) => ready.detect(text), options),
    redactAsync: (text, options) => run((ready) => ready.redact(text, treatment), options),
    valueAsync: async (value, options) => {
      const treat = (ready: Engine): unknown =>
        treatValue(value, (text, before) => ready.redact(text, treatment, before));
      const [treated] = await run((ready) => [treat(ready)], options);
      return notThenable(treated);
    },
    streamAsync: ({ signal } = {}) => {
      refuse();
      return asyncStream(preparedEngine(engine, signal).map((ready) => ready.stream(treatment)));
    },
  };
}

function asyncStream(stream: Prepared<TextStream>): AsyncStream {
  /** The last result. After an error all further results are that error. */
  let last: Promise<unknown> = Promise.resolve();
  const next = (step: (stream: TextStream) => string): Promise<string> => {
    const result = last.then(() => stream.run(step, (text) => text));
    last = result;
    return result;
  };
  return { push: (chunk) => next((one) => one.push(chunk)), end: () => next((one) => one.end()) };
}

/** Rejects a value with a `then` method: it would be awaited, and its result would be returned untreated. */
function notThenable(value: unknown): unknown {
  let thenable = true;
  try {
    thenable = typeof (value as { then?: unknown } | null | undefined)?.then === "function";
  } catch {
    // It cannot be given out, either.
  }
  if (!thenable) return value;
  throw new PiiError("ERR_PII_DETECTION_FAILED", "valueAsync() received a promise. Await it first.");
}
