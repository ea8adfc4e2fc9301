import { type Attributes, diag } from "@opentelemetry/api";
import {
  type CallNext,
  type Final,
  type Invocation,
  type Kind,
  type Outcome,
  type Redactor,
  redactorOf,
  type Settlement,
  type Usage,
} from "@suite/core";
import { errorTypeOf } from "@suite/kit/errors";
import { abortType, isAborted, isLetGo, wasAborted } from "../attributes/errors.js";
import { redactAttributes } from "../attributes/redact.js";
import { ATTR } from "../attributes/semconv.js";
import type { Instruments } from "./instruments.js";
import { lastAttemptOf } from "./last-attempt.js";

/** One call that is being measured. */
export interface Measure<K extends Kind> {
  readonly invocation: Pick<Invocation<K>, "call" | "runtime" | "request" | "reached"> & {
    readonly result?: Pick<Outcome<unknown, unknown>, "isError"> | undefined;
  };
  readonly instruments: Instruments;
  readonly redactor: Redactor | undefined;
  /** Milliseconds, by `performance.now`. */
  start: number;
}

/** The measured end of a call. */
interface Measured<K extends Kind> {
  readonly seconds: number;
  readonly settlement: Settlement<Final<K>>;
  /** `error.type`, if the call failed or was aborted. */
  readonly error: string | undefined;
  /** The tokens of a model call, if they are known from another source than its answer. */
  readonly usage?: Usage | undefined;
}

/** The metrics of one kind of call. */
export interface Recording<K extends Kind> {
  /** Called when all inner layers have answered or thrown. Returns false if the call is not to be recorded. */
  answered(measure: Measure<K>): boolean;
  /** Wraps each pull of a streamed answer. */
  around?(measure: Measure<K>): <T>(pull: () => Promise<T>) => Promise<T>;
  /** Records the metrics of a call that has ended. */
  record(measure: Measure<K>, measured: Measured<K>): void;
}

/** Creates a hook that measures each call. Called only if there are instruments. */
export const measured =
  <K extends Kind>(recordingOf: (measure: Measure<K>) => Recording<K>) =>
  async (instruments: Instruments, invocation: Invocation<K>, callNext: CallNext): Promise<void> => {
    const { runtime, call } = invocation;
    const measure = { invocation, instruments, redactor: redactorOf(runtime), start: performance.now() };
    const recording = recordingOf(measure);
    const answered = (): boolean => {
      measure.start = Math.max(measure.start, lastAttemptOf(call));
      return recording.answered(measure);
    };
    const end = (settlement: Settlement<Final<K>>, at: number): void => {
      const error = errorOf(settlement, runtime.signal);
      try {
        recording.record(measure, { seconds: (at - measure.start) / 1000, settlement, error });
      } catch (broken) {
        diag.error(`@suite/tracing: a call could not be measured (${errorTypeOf(broken)})`);
      }
    };
    try {
      await callNext();
    } catch (error) {
      if (answered()) end({ status: "failed", error }, performance.now());
      throw error;
    }
    if (!answered()) return;
    if (invocation.result?.streaming === true) {
      const around = recording.around?.(measure);
      invocation.pipe({ settle: (settlement) => end(settlement, performance.now()), ...(around && { around }) });
    } else {
      const at = performance.now();
      invocation.pipe({ settle: (settlement) => end(settlement, at) });
    }
  };

/**
 * Returns the `error.type` of a call, as on its span. An abort is an error. A consumer that stops reading is not, and
 * neither is a suspension.
 */
export function errorOf(settlement: Settlement<unknown>, signal: AbortSignal): string | undefined {
  if (settlement.status === "cancelled") {
    return wasAborted(settlement.reason, signal) ? abortType(settlement.reason) : undefined;
  }
  if (settlement.status !== "failed" || isLetGo(settlement.error, signal)) return undefined;
  return isAborted(signal) ? abortType(settlement.error) : errorTypeOf(settlement.error);
}

/** Returns the redacted attributes of a data point. */
export function attributesOf(attributes: Attributes, error: string | undefined, redactor: Redactor | undefined) {
  if (error !== undefined) attributes[ATTR.errorType] = error;
  return redactAttributes(attributes, redactor);
}
