import { ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import type { SpanIds } from "@suite/core/propagation";
import { ATTR, LOG_EVENT } from "../attributes/semconv.js";
import { type EventLoggerProvider, type LogAttributes, loggerSource, SEVERITY } from "./logger.js";

/** A judgement of a model's or an agent's answer, by an evaluator or by the user. */
export interface Evaluation {
  /** The name of the judged quality: `relevance`, `user_feedback`. */
  readonly name: string;
  readonly value?: number;
  /** The judgement as a word: `pass`, `thumbs_down`. */
  readonly label?: string;
  readonly explanation?: string;
  /** `gen_ai.response.id` of the judged answer, for backends that do not join by span. */
  readonly responseId?: string;
  /** `error.type`, if the evaluation itself failed. */
  readonly errorType?: string;
}

/** The options of `recordEvaluation`. */
export interface EvaluationOptions {
  /** Redacts explanations and labels, for example `pii().redactor`. */
  readonly redactor?: Redactor;
  /** The logger provider to use instead of the one registered globally with `@opentelemetry/api-logs`. */
  readonly loggerProvider?: EventLoggerProvider;
}

const registered = loggerSource();

/**
 * Records an evaluation of a span that has ended, in any process, as the log record `gen_ai.evaluation.result`.
 *
 * @param span the span's ids: `spanOf(call)` of `@suite/core/propagation` within a run, stored with the answer
 * @returns false if no logger provider is registered, so that nothing was recorded
 *
 * @example
 * ```ts
 * recordEvaluation(ids, { name: "user_feedback", value: 0, label: "thumbs_down" }, { redactor: pii().redactor });
 * ```
 */
export function recordEvaluation(
  { traceId, spanId }: SpanIds,
  { name, value, label, explanation, responseId, errorType }: Evaluation,
  { redactor, loggerProvider }: EvaluationOptions = {},
): boolean {
  const logger = (loggerProvider === undefined ? registered : loggerSource(loggerProvider))();
  if (logger === undefined) return false;
  const attributes: LogAttributes = {};
  const text = (key: string, value: string | undefined): void => {
    if (value !== undefined) attributes[key] = redactor?.redact(value) ?? value;
  };
  text(ATTR.evaluationName, name);
  if (value !== undefined && Number.isFinite(value)) attributes[ATTR.evaluationScoreValue] = value;
  text(ATTR.evaluationScoreLabel, label);
  text(ATTR.evaluationExplanation, explanation);
  if (responseId !== undefined) attributes[ATTR.responseId] = responseId;
  text(ATTR.errorType, errorType);
  logger.emit({
    eventName: LOG_EVENT.evaluation,
    severityNumber: SEVERITY.info,
    timestamp: Date.now(),
    attributes,
    context: trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED }),
  });
  return true;
}
