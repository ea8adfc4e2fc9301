import { PiiError } from "../../errors.js";
import type { Match } from "../../scan/recogniser.js";
import type { Engine, Treatment } from "../engine.js";
import { treatValue } from "../value.js";
import { type AsyncStream, AsyncTextStream } from "./stream.js";
import { TwoPasses } from "./two-passes.js";

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

/** Creates the redactor for rules with async recognisers. @param refuse Throws if streams are not possible. */
export function asyncRedactorOf(engine: Engine, treatment: Treatment, refuse: () => void): AsyncRedactor {
  const read = async <T>(by: (engine: Engine) => T, { signal }: AsyncOptions = {}): Promise<T> => {
    signal?.throwIfAborted();
    if (engine.async.length === 0) return by(engine);
    const passes = new TwoPasses(engine, signal);
    await passes.prepare(() => by(passes.trial));
    return by(passes.answered);
  };
  return {
    detectAsync: (text, options) => read((by) => by.detect(text), options),
    redactAsync: (text, options) => read((by) => by.redact(text, treatment), options),
    valueAsync: async (value, options) => {
      const treated = await read(
        (by) => [treatValue(value, (text, before) => by.redact(text, treatment, before))],
        options,
      );
      return notThenable(treated[0]);
    },
    streamAsync: ({ signal } = {}) => {
      refuse();
      return new AsyncTextStream(new TwoPasses(engine, signal), treatment);
    },
  };
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
