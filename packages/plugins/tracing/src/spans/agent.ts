import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { Message, Reply } from "@suite/core";
import {
  agentAttributes,
  isWorkflow,
  named,
  runAttributes,
  totalAttributes,
  workflowAttributes,
} from "../attributes/common.js";
import { OWN } from "../attributes/own-names.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import { linksToOrigins } from "../compensation/pending.js";
import type { SpanShape } from "./shape.js";

/** `invoke_agent {agent.name}`, or `invoke_workflow {workflow.name}`: a whole reply. */
export const agentSpan = (options: { readonly usage: boolean }): SpanShape<"agent"> => ({
  spanKind: SpanKind.INTERNAL,
  identity({ runtime }) {
    if (!isWorkflow(runtime)) return { [ATTR.operationName]: OPERATION.invokeAgent, ...agentAttributes(runtime) };
    return { [ATTR.operationName]: OPERATION.invokeWorkflow, ...workflowAttributes(runtime) };
  },
  name: ({ [ATTR.operationName]: operation, [ATTR.agentName]: agent, [ATTR.workflowName]: workflow }) =>
    named(String(operation), agent ?? workflow),
  links: ({ request, runtime }) => (request.resume === undefined ? [] : linksToOrigins(runtime)),
  request({ runtime }) {
    const attributes = runAttributes(runtime);
    attributes[OWN.runId] = runtime.runId;
    put(attributes, OWN.agentId, runtime.agent?.id);
    if (!isWorkflow(runtime)) put(attributes, ATTR.agentDescription, runtime.agent?.description);
    put(attributes, OWN.agentVersion, runtime.agent?.version);
    return attributes;
  },
  requestContent({ request }, writer) {
    const { messages: asked, resume = [] } = request;
    // What was only decided, and not brought back, is no message.
    const messages = resume.length === 0 ? asked : [...asked, { role: "tool", parts: resume } satisfies Message];
    return messages.length === 0 ? {} : { [ATTR.inputMessages]: writer.messages(messages) };
  },
  reply(final, { unreached, runtime }) {
    if (isWorkflow(runtime)) return {}; // the conventions list nothing of it
    const attributes: Attributes = options.usage && unreached !== true ? totalAttributes(final.usage) : {};
    if (final.finishReason !== undefined) attributes[ATTR.responseFinishReasons] = [final.finishReason];
    return attributes;
  },
  replyContent: (final: Reply, writer) => ({ [ATTR.outputMessages]: writer.messages([final.message]) }),
});
