import { agentAttributes, isWorkflow, previousWorkflowAttributes } from "../attributes/common.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import type { Wording } from "../dialect.js";
import { attributesOf, type Measure, type Recording } from "./measured.js";
import { enterSubAgent, openTally, outerTally } from "./tally.js";
import { recordTurnTokens } from "./tokens.js";

/**
 * Records the duration of a turn, the number of its calls and their tokens. Sub-agents are not included: they are turns
 * themselves. A workflow has only a duration. A suspended turn has ended, and its resume is another turn.
 */
export const agentRecording =
  ({ previous }: Pick<Wording, "previous">) =>
  ({ invocation, start }: Measure<"agent">): Recording<"agent"> => {
    const { runtime, call } = invocation;
    const leave = enterSubAgent(outerTally(runtime, call), start);
    const tally = openTally(runtime, call);
    return {
      answered: () => true,
      record({ instruments, redactor }, { seconds, error }) {
        leave(start + seconds * 1000);
        if (isWorkflow(runtime)) {
          if (previous) {
            const attributes = attributesOf(previousWorkflowAttributes(runtime), error, redactor);
            instruments.workflowDuration.record(seconds, attributes);
            return;
          }
          // The operation distinguishes it from the agents within it, which are measured under the same name.
          const attributes = agentAttributes(runtime);
          attributes[ATTR.operationName] = OPERATION.invokeWorkflow;
          instruments.agentDuration.record(seconds, attributesOf(attributes, error, redactor));
          return;
        }
        const agent = attributesOf(agentAttributes(runtime), undefined, redactor);
        recordTurnTokens(instruments, tally, agent);
        instruments.agentSelfDuration.record(Math.max(0, seconds - tally.subAgentsMs / 1000), agent);
        // If both counts are zero, the framework may have no hook that counts calls.
        if (tally.inferences + tally.tools > 0) {
          instruments.agentInferenceCalls.record(tally.inferences, agent);
          instruments.agentToolCalls.record(tally.tools, agent);
        }
        const attributes = agentAttributes(runtime);
        put(attributes, ATTR.requestModel, tally.model);
        instruments.agentDuration.record(seconds, attributesOf(attributes, error, redactor));
      },
    };
  };
