import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { EmbeddingRequest } from "@suite/core/contract";
import { modelCallIdentity, named, suiteRunAttributes } from "../attributes/common.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import type { SpanShape } from "./shape.js";

/** `embeddings {request.model}`: one request for embeddings. The conventions record no content for it. */
export const embeddingSpan: SpanShape<"embedding"> = {
  spanKind: SpanKind.CLIENT,
  identity: ({ request, runtime }) => ({ ...embeddingIdentity(request), ...suiteRunAttributes(runtime) }),
  name: (identity) => named(OPERATION.embeddings, identity[ATTR.requestModel]),
  request({ request: { dimensions, encodingFormat } }) {
    const attributes: Attributes = {};
    if (Number.isSafeInteger(dimensions)) put(attributes, ATTR.embeddingsDimensionCount, dimensions);
    if (encodingFormat !== undefined) attributes[ATTR.requestEncodingFormats] = [encodingFormat];
    return attributes;
  },
  requestContent: () => ({}),
  reply({ usage, response }, { unreached }) {
    const attributes: Attributes = {};
    if (unreached !== true) put(attributes, ATTR.usageInputTokens, usage?.inputTokens);
    put(attributes, ATTR.responseModel, response?.model);
    return attributes;
  },
  replyContent: () => ({}),
};

/** Returns the attributes of the requested model and of its server, for spans and metrics. */
export const embeddingIdentity = (request: EmbeddingRequest): Attributes =>
  modelCallIdentity(OPERATION.embeddings, request);
