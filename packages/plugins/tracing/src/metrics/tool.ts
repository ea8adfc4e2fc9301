import { agentAttributes } from "../attributes/common.js";
import { ATTR, OTHER, TOOL_TYPE_FUNCTION } from "../attributes/semconv.js";
import { mcpIdentity, mcpSpans } from "../spans/mcp.js";
import { toolSpan } from "../spans/tool.js";
import { attributesOf, type Measure, type Recording } from "./measured.js";
import { tallyAround } from "./tally.js";

/**
 * Records the duration of one tool call. A call that was refused before it ran, or that runs elsewhere, is not
 * measured.
 */
export function toolRecording({ invocation }: Measure<"tool">): Recording<"tool"> {
  const tally = tallyAround(invocation.runtime, invocation.call);
  let isError = false;
  return {
    answered() {
      isError = invocation.result?.isError === true;
      return invocation.reached !== undefined;
    },
    record({ instruments, redactor }, { seconds, settlement, error }) {
      if (settlement.status === "suspended") return;
      const { status } = settlement;
      const failure = status === "completed" ? toolSpan.failure?.(settlement.final, isError) : undefined;
      const request = invocation.reached ?? invocation.request;
      const { tool, mcp } = request;
      if (mcp !== undefined) {
        const thrown = status === "failed" ? mcpSpans[mcp.side].thrown?.(settlement.error) : undefined;
        const type = thrown === undefined ? (error ?? failure?.type) : undefined;
        const attributes = attributesOf(Object.assign(mcpIdentity(request), thrown), type, redactor);
        (mcp.side === "client" ? instruments.mcpClientDuration : instruments.mcpServerDuration).record(
          seconds,
          attributes,
        );
        return;
      }
      if (tally !== undefined) tally.tools++;
      // The name of an unknown tool was written by a model. It may be anything, and each name would be a new time
      // series.
      const known = tool.execute !== undefined || status === "completed";
      const attributes = agentAttributes(invocation.runtime);
      attributes[ATTR.toolName] = known ? tool.name : OTHER;
      attributes[ATTR.toolType] = TOOL_TYPE_FUNCTION;
      instruments.toolDuration.record(seconds, attributesOf(attributes, error ?? failure?.type, redactor));
    },
  };
}
