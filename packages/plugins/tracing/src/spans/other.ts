import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { RuntimeContext } from "@suite/core";
import { ownRunAttributes } from "../attributes/common.js";
import { OWN, OWN_SPAN } from "../attributes/own-names.js";
import type { SpanShape } from "./shape.js";

// No convention has an operation for these two, so that no `gen_ai.*` attribute is one of theirs.

const identity = ({ runtime }: { readonly runtime: RuntimeContext }): Attributes => ownRunAttributes(runtime);

/** Shortening the history; the model calls that it makes are spans below it. */
export const compressContextSpan: SpanShape<"compressContext"> = {
  spanKind: SpanKind.INTERNAL,
  identity,
  name: () => OWN_SPAN.compressContext,
  request: ({ request }) => ({ [OWN.messagesBefore]: request.messages.length }),
  requestContent: () => ({}),
  reply: (final) => ({ [OWN.messagesAfter]: final.length }),
  replyContent: () => ({}),
};

/** Waiting for a person, as far as it happens within a run. */
export const humanInputSpan: SpanShape<"humanInput"> = {
  spanKind: SpanKind.INTERNAL,
  identity,
  name: () => OWN_SPAN.humanInput,
  request({ request: { about } }) {
    return about === undefined ? {} : { [OWN.humanInputTool]: about.name, [OWN.humanInputCallId]: about.id };
  },
  requestContent: ({ request }, writer) => ({ [OWN.humanInputQuestion]: writer.text(request.question) }),
  reply: () => ({}),
  replyContent: (final, writer) => ({ [OWN.humanInputAnswer]: writer.text(final) }),
};
