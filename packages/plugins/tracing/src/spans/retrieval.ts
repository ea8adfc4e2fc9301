import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { RetrievalRequest } from "@suite/core/contract";
import { named, providerName, serverAttributes, suiteRunAttributes } from "../attributes/common.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import type { SpanShape } from "./shape.js";

/** `retrieval {source}`: one search of documents. */
export const retrievalSpan: SpanShape<"retrieval"> = {
  spanKind: SpanKind.CLIENT,
  identity({ request, runtime }) {
    const attributes: Attributes = { ...retrievalIdentity(request), ...suiteRunAttributes(runtime) };
    put(attributes, ATTR.dataSourceId, request.source);
    return attributes;
  },
  name: (identity) => named(OPERATION.retrieval, identity[ATTR.dataSourceId]),
  request: ({ request: { limit } }) => (Number.isSafeInteger(limit) ? { [ATTR.retrievalTopK]: limit } : {}),
  requestContent: ({ request }, writer) => ({ [ATTR.retrievalQueryText]: writer.text(request.query) }),
  reply: () => ({}),
  replyContent: ({ documents }, writer) => ({ [ATTR.retrievalDocuments]: writer.list(documents) }),
};

/** Returns the attributes of a search, for spans and metrics. */
export function retrievalIdentity({ model, provider, server }: RetrievalRequest): Attributes {
  const attributes: Attributes = { [ATTR.operationName]: OPERATION.retrieval };
  put(attributes, ATTR.providerName, provider && providerName(provider));
  put(attributes, ATTR.requestModel, model);
  return serverAttributes(server, attributes);
}
