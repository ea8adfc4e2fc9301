import { type Final, type Kind, type Request, type RuntimeContext, redactorOf, type Settlement } from "@suite/core";
import type { AttemptNotification } from "@suite/core/contract";
import type { Instruments } from "./instruments.js";
import { attemptIsOver } from "./last-attempt.js";
import { errorOf, type Measure, type Recording } from "./measured.js";
import { modelRecording } from "./model.js";
import { toolRecording } from "./tool.js";

/**
 * Measures a replaced attempt like a separate call: the conventions' metrics are of single calls. The measurement of
 * the call around it starts again now.
 */
export function measureAttempt(attempt: AttemptNotification, runtime: RuntimeContext, instruments: Instruments): void {
  const { kind } = attempt.call;
  if (kind === "model") record(modelRecording, attempt, runtime, instruments);
  else if (kind === "tool") record(toolRecording, attempt, runtime, instruments);
}

function record<K extends Kind>(
  recordingOf: (measure: Measure<K>) => Recording<K>,
  { call, request, settlement, isError, usage, startedAt, endedAt }: AttemptNotification,
  runtime: RuntimeContext,
  instruments: Instruments,
): void {
  attemptIsOver(call);
  const sent = request as Request<K>;
  const ended = settlement as Settlement<Final<K>>;
  const invocation = { call, runtime, request: sent, reached: sent, result: isError && { isError } };
  const measure = { invocation, instruments, redactor: redactorOf(runtime), start: 0 };
  const recording = recordingOf(measure);
  if (!recording.answered(measure)) return;
  const error = errorOf(ended, runtime.signal);
  recording.record(measure, { seconds: (endedAt - startedAt) / 1000, settlement: ended, error, usage });
}
