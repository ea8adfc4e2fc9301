import type { ModelRequest } from "@suite/core";
import { put } from "../attributes/redact.js";
import { ATTR } from "../attributes/semconv.js";
import { modelIdentity } from "../spans/model.js";
import { attributesOf, type Measure, type Recording } from "./measured.js";
import { countInference, tallyAround } from "./tally.js";
import { recordCallTokens } from "./tokens.js";

/**
 * Records the duration, tokens and chunks of one model call. A call that a layer answered instead of the model is not
 * measured.
 */
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
      const recordTime = instruments.chunkTimes(attributesOf(modelIdentity(request), undefined, redactor));
      let last = 0;
      const noted = <T>(step: T): T => {
        if (isEnd(step)) return step;
        const now = performance.now();
        if (firstChunk === undefined) firstChunk = (now - start) / 1000;
        else recordTime((now - last) / 1000);
        last = now;
        return step;
      };
      return (pull) => pull().then(noted);
    },
    record({ instruments, redactor }, { seconds, settlement, error, usage }) {
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
      recordCallTokens(instruments, usage ?? final?.usage, common, tally);
    },
  };
}

/** Returns true if a step is the end of its stream and not a chunk. Stages cannot look into chunks. */
const isEnd = (step: unknown): boolean =>
  typeof step === "object" && step !== null && "done" in step && step.done === true;
