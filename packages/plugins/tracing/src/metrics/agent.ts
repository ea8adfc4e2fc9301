import { put } from "../attributes.js";
import { ATTR } from "../semconv.js";
import { agentAttributes } from "../spans/common.js";
import { attributesOf, type Measure, type Recording } from "./measured.js";
import { openTally } from "./tally.js";

/**
 * Duration of a turn, and how many calls it made. A turn that is suspended has ended, too: the resume is one of its
 * own. Tokens stand with the model calls, and are not counted again here.
 */
export function agentRecording({ invocation }: Measure<"agent">): Recording<"agent"> {
  const { runtime, call } = invocation;
  const tally = openTally(runtime, call);
  return {
    answered: () => true,
    record({ instruments, redactor }, { seconds, error }) {
      const agent = attributesOf(agentAttributes(runtime), undefined, redactor);
      // Nothing counted may also mean that a framework has no place where calls could be counted.
      if (tally.inferences + tally.tools > 0) {
        instruments.agentInferenceCalls.record(tally.inferences, agent);
        instruments.agentToolCalls.record(tally.tools, agent);
      }
      const attributes = agentAttributes(runtime);
      put(attributes, ATTR.requestModel, tally.model);
      instruments.agentDuration.record(seconds, attributesOf(attributes, error, redactor));
    },
  };
}
