import type { Attributes } from "@opentelemetry/api";
import type { ModelRequest, Usage } from "@suite/core";
import { put } from "../attributes.js";
import { ATTR } from "../semconv.js";
import { modelIdentity } from "../spans/model.js";
import { usageAttributes } from "../spans/usage.js";
import type { Instruments } from "./instruments.js";
import { attributesOf, type Measure, type Recording } from "./measured.js";
import { MODALITY } from "./names.js";
import { countInference, tallyAround } from "./tally.js";

/** Duration, tokens and chunks of one model call. One that a layer answered in place of the model is none. */
export function modelRecording({ invocation }: Measure<"model">): Recording<"model"> {
  const tally = tallyAround(invocation.runtime, invocation.call);
  let request: ModelRequest = invocation.request;
  let firstChunk: number | undefined;
  return {
    answered() {
      if (invocation.reached === undefined) return false;
      request = invocation.reached;
      countInference(tally, request.model);
      return true;
    },
    around({ instruments, redactor, start }) {
      if (request.stream !== true) return (pull) => pull();
      const attributes = attributesOf(modelIdentity(request), undefined, redactor);
      let last = 0;
      const noted = <T>(step: T): T => {
        if (isEnd(step)) return step;
        const now = performance.now();
        if (firstChunk === undefined) firstChunk = (now - start) / 1000;
        else instruments.timePerOutputChunk.record((now - last) / 1000, attributes);
        last = now;
        return step;
      };
      return (pull) => pull().then(noted);
    },
    record({ instruments, redactor }, { seconds, settlement, error }) {
      if (settlement.status === "suspended") return;
      const attributes = modelIdentity(request);
      const final = settlement.status === "completed" ? settlement.final : undefined;
      put(attributes, ATTR.responseModel, final?.response?.model);
      const common = attributesOf(attributes, undefined, redactor);
      if (firstChunk !== undefined) instruments.timeToFirstChunk.record(firstChunk, common);
      instruments.inferenceDuration.record(
        seconds,
        error === undefined ? common : attributesOf({ ...common }, error, redactor),
      );
      recordUsage(instruments, final?.usage, common);
    },
  };
}

/** Both ways in which the conventions count tokens: per call, and their sum. */
function recordUsage(instruments: Instruments, usage: Usage | undefined, attributes: Attributes): void {
  const counts = usageAttributes(usage);
  const summed = { ...attributes, [MODALITY.key]: MODALITY.unknown };
  const each = (key: string, record: (count: number) => void): void => {
    const count = counts[key];
    if (typeof count === "number") record(count);
  };
  each(ATTR.usageInputTokens, (count) => {
    instruments.inputTokens.record(count, attributes);
    instruments.usedInputTokens.add(count, summed);
  });
  each(ATTR.usageOutputTokens, (count) => {
    instruments.outputTokens.record(count, attributes);
    instruments.usedOutputTokens.add(count, summed);
  });
  each(ATTR.usageCacheReadInputTokens, (count) => instruments.usedCacheRead.add(count, summed));
  each(ATTR.usageCacheWriteInputTokens, (count) => instruments.usedCacheWrite.add(count, summed));
  each(ATTR.usageReasoningOutputTokens, (count) => instruments.usedReasoning.add(count, summed));
}

/** What a pull gives is opaque to stages, but the end of a stream is no chunk. */
const isEnd = (step: unknown): boolean =>
  typeof step === "object" && step !== null && "done" in step && step.done === true;
