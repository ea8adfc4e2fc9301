import { type Attributes, type Span, SpanKind } from "@opentelemetry/api";
import type { ModelRequest, Reply } from "@suite/core";
import type { ModelSettings } from "@suite/core/contract";
import { modelCallIdentity, named, runAttributes } from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { put } from "../attributes/redact.js";
import { ATTR, LOG_EVENT, OPERATION, PREVIOUS } from "../attributes/semconv.js";
import type { ContentWriter } from "../content/writer.js";
import type { Wording } from "../dialect.js";
import type { UsageOf } from "./cost.js";
import type { SpanShape } from "./shape.js";

/** Returns the name of the log record for an exception of a model call. */
export const inferenceException = ({ previous }: Pick<Wording, "previous">): string =>
  previous ? PREVIOUS.clientException : LOG_EVENT.inferenceException;

/** Creates the shape of `chat {request.model}`: one model call. */
export const modelSpan = (
  usageOf: UsageOf,
  started: (span: Span) => void,
  exceptionEvent: string,
): SpanShape<"model"> => ({
  spanKind: SpanKind.CLIENT,
  started,
  exceptionEvent,
  detailsEvent: LOG_EVENT.inferenceDetails,
  identity({ request, runtime }) {
    const attributes = modelIdentity(request);
    put(attributes, SUITE.agentName, runtime.agent?.name);
    return attributes;
  },
  name: (identity) => named(OPERATION.chat, identity[ATTR.requestModel]),
  request({ request, runtime }) {
    const attributes = runAttributes(runtime);
    put(attributes, SUITE.modelPurpose, request.purpose);
    if (request.stream === true) attributes[ATTR.requestStream] = true;
    if (request.outputSchema !== undefined) attributes[ATTR.outputType] = "json";
    settings(attributes, request.settings);
    return attributes;
  },
  firstChunk: ({ request }) => (request.stream === true ? ATTR.responseTimeToFirstChunk : undefined),
  requestContent: ({ request }, writer) => inputContent(request, writer),
  usage: (usage, { request }) => usageOf(usage, request.model),
  reply(final, { request, unreached }) {
    // Tokens of a cached answer were recorded before: backends would count their cost again.
    const attributes = unreached === true ? {} : usageOf(final.usage, request.model, final.response);
    put(attributes, ATTR.responseId, final.response?.id);
    put(attributes, ATTR.responseModel, final.response?.model);
    if (final.response?.contextEdits !== undefined) attributes[SUITE.contextEdits] = [...final.response.contextEdits];
    if (final.finishReason !== undefined) attributes[ATTR.responseFinishReasons] = [final.finishReason];
    return attributes;
  },
  replyContent: (final: Reply, writer) => ({ [ATTR.outputMessages]: writer.messages([final.message]) }),
});

/** Returns the attributes of the requested model and of its server, for spans and metrics. */
export const modelIdentity = (request: ModelRequest): Attributes => modelCallIdentity(OPERATION.chat, request);

/** Returns the content of a request. A leading system prompt has a separate attribute in the conventions. */
function inputContent({ messages, tools }: ModelRequest, writer: ContentWriter): Attributes {
  const [first, ...rest] = messages;
  const prompt = first?.role === "system" ? first : undefined;
  const conversation = prompt === undefined ? messages : rest;
  const attributes: Attributes = {};
  if (prompt !== undefined) attributes[ATTR.systemInstructions] = writer.instructions(prompt);
  if (conversation.length > 0) attributes[ATTR.inputMessages] = writer.messages(conversation);
  if (tools.length > 0) attributes[ATTR.toolDefinitions] = writer.definitions(tools);
  return attributes;
}

/** Adds the settings whose type matches the conventions. They come from users' code and other frameworks. */
function settings(attributes: Attributes, from: ModelSettings | undefined): void {
  if (from === undefined) return;
  const double = (key: string, value: unknown): void => {
    if (typeof value === "number" && Number.isFinite(value)) attributes[key] = value;
  };
  const int = (key: string, value: unknown): void => {
    if (Number.isSafeInteger(value)) attributes[key] = value as number;
  };
  double(ATTR.requestTemperature, from.temperature);
  double(ATTR.requestTopP, from.topP);
  int(ATTR.requestTopK, from.topK);
  int(ATTR.requestMaxTokens, from.maxTokens);
  int(ATTR.requestSeed, from.seed);
  double(ATTR.requestFrequencyPenalty, from.frequencyPenalty);
  double(ATTR.requestPresencePenalty, from.presencePenalty);
  const { stopSequences } = from;
  if (Array.isArray(stopSequences) && stopSequences.every((item) => typeof item === "string")) {
    attributes[ATTR.requestStopSequences] = [...stopSequences];
  }
}
