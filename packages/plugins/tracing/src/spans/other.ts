import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { RuntimeContext } from "@suite/core";
import { suiteRunAttributes } from "../attributes/common.js";
import { SUITE, SUITE_SPAN } from "../attributes/own-names.js";
import type { SpanShape } from "./shape.js";

// The conventions have no operation for these two kinds, so that no `gen_ai.*` attribute applies.

const identity = ({ runtime }: { readonly runtime: RuntimeContext }): Attributes => suiteRunAttributes(runtime);

/** A compression of the history. Its model calls are child spans. */
export const compressContextSpan: SpanShape<"compressContext"> = {
  spanKind: SpanKind.INTERNAL,
  identity,
  name: () => SUITE_SPAN.compressContext,
  request: ({ request }) => ({ [SUITE.messagesBefore]: request.messages.length }),
  requestContent: () => ({}),
  reply: (final) => ({ [SUITE.messagesAfter]: final.length }),
  replyContent: () => ({}),
};

/** A wait for a person's input within a run. */
export const humanInputSpan: SpanShape<"humanInput"> = {
  spanKind: SpanKind.INTERNAL,
  identity,
  name: () => SUITE_SPAN.humanInput,
  request({ request: { about } }) {
    return about === undefined ? {} : { [SUITE.humanInputTool]: about.name, [SUITE.humanInputCallId]: about.id };
  },
  requestContent: ({ request }, writer) => ({ [SUITE.humanInputQuestion]: writer.text(request.question) }),
  reply: () => ({}),
  replyContent: (final, writer) => ({ [SUITE.humanInputAnswer]: writer.text(final) }),
};
