import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { RuntimeContext } from "@suite/core";
import { ownRunAttributes } from "../attributes/common.js";
import { OWN, OWN_SPAN } from "../attributes/own-names.js";
import type { SpanShape } from "./shape.js";

// The conventions have no operation for these two kinds, so that no `gen_ai.*` attribute applies.

const identity = ({ runtime }: { readonly runtime: RuntimeContext }): Attributes => ownRunAttributes(runtime);

/** A compression of the history. Its model calls are child spans. */
export const compressContextSpan: SpanShape<"compressContext"> = {
  spanKind: SpanKind.INTERNAL,
  identity,
  name: () => OWN_SPAN.compressContext,
  request: ({ request }) => ({ [OWN.messagesBefore]: request.messages.length }),
  requestContent: () => ({}),
  reply: (final) => ({ [OWN.messagesAfter]: final.length }),
  replyContent: () => ({}),
};

/** A wait for a person's input within a run. */
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
