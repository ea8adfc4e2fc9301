import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { Message, Reply } from "@suite/core";
import {
  agentAttributes,
  isWorkflow,
  named,
  previousWorkflowAttributes,
  runAttributes,
  totalAttributes,
} from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION, PREVIOUS } from "../attributes/semconv.js";
import { linksToOrigins } from "../compensation/pending.js";
import type { Wording } from "../dialect.js";
import type { SpanShape } from "./shape.js";

/** Creates the shape of `invoke_agent {agent.name}` or `invoke_workflow {agent.name}`: a whole reply. */
export const agentSpan = ({ previous, agentUsage }: Wording): SpanShape<"agent"> => ({
  spanKind: SpanKind.INTERNAL,
  identity({ runtime }) {
    const workflow = isWorkflow(runtime);
    const attributes = workflow && previous ? previousWorkflowAttributes(runtime) : agentAttributes(runtime);
    attributes[ATTR.operationName] = workflow ? OPERATION.invokeWorkflow : OPERATION.invokeAgent;
    return attributes;
  },
  name: ({ [ATTR.operationName]: operation, [ATTR.agentName]: agent, [PREVIOUS.workflowName]: workflow }) =>
    named(String(operation), agent ?? workflow),
  links: ({ request, runtime }) => (request.resume === undefined ? [] : linksToOrigins(runtime)),
  request({ runtime }) {
    const attributes = runAttributes(runtime);
    attributes[SUITE.runId] = runtime.runId;
    put(attributes, SUITE.agentId, runtime.agent?.id);
    if (!(previous && isWorkflow(runtime))) put(attributes, ATTR.agentDescription, runtime.agent?.description);
    put(attributes, SUITE.agentVersion, runtime.agent?.version);
    return attributes;
  },
  requestContent({ request }, writer) {
    const { messages: input, resume = [] } = request;
    // Decisions without a result are not messages.
    const messages = resume.length === 0 ? input : [...input, { role: "tool", parts: resume } satisfies Message];
    return messages.length === 0 ? {} : { [ATTR.inputMessages]: writer.messages(messages) };
  },
  reply(final, { unreached, runtime }) {
    if (previous && isWorkflow(runtime)) return {}; // those conventions list no attributes of it
    const attributes: Attributes = agentUsage && unreached !== true ? totalAttributes(final.usage) : {};
    if (final.finishReason !== undefined) attributes[ATTR.responseFinishReasons] = [final.finishReason];
    return attributes;
  },
  replyContent: (final: Reply, writer) => ({ [ATTR.outputMessages]: writer.messages([final.message]) }),
});
