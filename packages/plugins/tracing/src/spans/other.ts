import { SpanKind } from "@opentelemetry/api";
import { OWN, OWN_SPAN } from "../own-names.js";
import { ATTR } from "../semconv.js";
import { agentAttributes, runAttributes } from "./common.js";
import type { SpanShape } from "./shape.js";

// No convention has an operation for these two, so they carry no `gen_ai.operation.name`.

/** Shortening the history; the model calls that it makes are spans below it. */
export const compressContextSpan: SpanShape<"compressContext"> = {
  spanKind: SpanKind.INTERNAL,
  identity: ({ runtime }) => agentAttributes(runtime),
  name: () => OWN_SPAN.compressContext,
  request: ({ request, runtime }) => ({ ...runAttributes(runtime), [OWN.messagesBefore]: request.messages.length }),
  requestContent: () => ({}),
  reply: (final) => ({ [OWN.messagesAfter]: final.length }),
  replyContent: () => ({}),
};

/** Waiting for a person, as far as it happens within a run. */
export const humanInputSpan: SpanShape<"humanInput"> = {
  spanKind: SpanKind.INTERNAL,
  identity: ({ runtime }) => agentAttributes(runtime),
  name: () => OWN_SPAN.humanInput,
  request({ request, runtime }) {
    const attributes = runAttributes(runtime);
    if (request.about !== undefined) {
      attributes[ATTR.toolName] = request.about.name;
      attributes[ATTR.toolCallId] = request.about.id;
    }
    return attributes;
  },
  requestContent: ({ request }, writer) => ({ [OWN.humanInputQuestion]: writer.text(request.question) }),
  reply: () => ({}),
  replyContent: (final, writer) => ({ [OWN.humanInputAnswer]: writer.text(final) }),
};
