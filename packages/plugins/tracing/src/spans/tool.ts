import { SpanKind } from "@opentelemetry/api";
import { named } from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import { toolFailure, toolIdentity, toolInput, toolOutput, toolRan, toolRequest } from "../attributes/tool.js";
import type { SpanShape } from "./shape.js";

/** `execute_tool {tool.name}`: one tool call. */
export const toolSpan: SpanShape<"tool"> = {
  spanKind: SpanKind.INTERNAL,
  identity: ({ request, runtime }) => toolIdentity(request.tool.name, runtime),
  name: (identity) => named(OPERATION.executeTool, identity[ATTR.toolName]),
  request: ({ request, runtime }) => toolRequest(runtime, request.tool.description),
  ran: ({ request, runtime }) => toolRan(request.id, runtime),
  waits: ({ request }) => ({ [SUITE.toolCallId]: request.id }),
  requestContent: ({ request }, writer) => toolInput(request.input, writer),
  reply: () => ({}),
  replyContent: (final, writer) => toolOutput(final, writer),
  failure: (final, isError) =>
    isError || isErrorResult(final) ? { ...toolFailure("failed"), message: messageOf(final) } : undefined,
  /** True for a tool that runs elsewhere: its span is created when its result arrives. */
  late: ({ request }) => request.tool.execute === undefined,
};

const isErrorResult = (final: unknown): boolean =>
  typeof final === "object" && final !== null && "isError" in final && final.isError === true;

/** Maximum length of a result's message. A longer message is not recorded. */
const LONGEST_MESSAGE = 1024;

/** Returns the message of a failed result: the result itself or, in MCP's format, its first part. */
function messageOf(final: unknown): string | undefined {
  const content: unknown = typeof final === "string" ? final : Object(final).content;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  const text: unknown = typeof content === "string" ? content : Object(first).text;
  return typeof text === "string" && text.length <= LONGEST_MESSAGE ? text : undefined;
}
