import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { RuntimeContext, ToolRequest } from "@suite/core";
import type { McpCall } from "@suite/core/contract";
import { named } from "../attributes/common.js";
import { SUITE } from "../attributes/own-names.js";
import { put } from "../attributes/redact.js";
import { ATTR, OPERATION } from "../attributes/semconv.js";
import { toolRan } from "../attributes/tool.js";
import type { Described, SpanShape } from "./shape.js";
import { toolSpan } from "./tool.js";

/** Codes of JSON-RPC and MCP for an invalid request. On the server such a request is not an error. */
const OF_CALLER: ReadonlySet<unknown> = new Set([-32700, -32600, -32601, -32602, -32002]);

const codeOf = (error: unknown): unknown => Object(error).code;

const TRANSPORTS = { stdio: "pipe", http: "tcp" } as const;

/** Creates the shape of `{mcp.method.name} {target}`: one request of MCP, on the sending or on the answering side. */
const mcpSpan = (side: McpCall["side"]): SpanShape<"tool"> => ({
  spanKind: side === "client" ? SpanKind.CLIENT : SpanKind.SERVER,
  identity({ request, runtime }) {
    const attributes = mcpIdentity(request);
    put(attributes, SUITE.agentName, runtime.agent?.name);
    return attributes;
  },
  name: ({ [ATTR.mcpMethod]: method, [ATTR.toolName]: tool, [ATTR.promptName]: prompt }) =>
    named(String(method), tool ?? prompt),
  request({ request, runtime }) {
    const attributes: Attributes = {};
    put(attributes, SUITE.conversationId, runtime.sessionId);
    put(attributes, ATTR.jsonrpcRequestId, request.mcp?.requestId);
    put(attributes, ATTR.mcpSessionId, request.mcp?.sessionId);
    if (request.mcp?.method === "resources/read") put(attributes, ATTR.mcpResourceUri, member(request.input, "uri"));
    return attributes;
  },
  ran: (call) => (isToolCall(call) ? ranOf(call) : {}),
  requestContent: (call, writer) => (isToolCall(call) ? toolSpan.requestContent(call, writer) : {}),
  reply: () => ({}),
  // The conventions have no attribute for the content of resources and prompts.
  replyContent: (final, writer) =>
    Object(final).contents === undefined && Object(final).messages === undefined
      ? toolSpan.replyContent(final, writer)
      : {},
  failure: (final, isError) => toolSpan.failure?.(final, isError),
  thrown(error) {
    const code = codeOf(error);
    if (typeof code !== "number") return undefined;
    const attributes: Attributes = { [ATTR.rpcStatusCode]: String(code) };
    if (side === "client" || !OF_CALLER.has(code)) attributes[ATTR.errorType] = String(code);
    return attributes;
  },
  isCallers: (error) => side === "server" && OF_CALLER.has(codeOf(error)),
});

/** The shapes of both sides. */
export const mcpSpans = { client: mcpSpan("client"), server: mcpSpan("server") } as const;

/** Returns the attributes of a request of MCP, for spans and metrics. */
export function mcpIdentity({ mcp, tool, input }: ToolRequest): Attributes {
  const attributes: Attributes = {};
  if (mcp === undefined) return attributes;
  attributes[ATTR.mcpMethod] = mcp.method;
  if (mcp.method === "tools/call") {
    attributes[ATTR.operationName] = OPERATION.executeTool;
    attributes[ATTR.toolName] = tool.name;
  } else if (mcp.method === "prompts/get") put(attributes, ATTR.promptName, member(input, "name"));
  put(attributes, ATTR.mcpProtocolVersion, mcp.protocolVersion);
  if (mcp.transport === undefined) return attributes;
  attributes[ATTR.networkTransport] = TRANSPORTS[mcp.transport];
  if (mcp.transport === "http") attributes[ATTR.networkProtocol] = "http";
  return attributes;
}

const isToolCall = ({ request }: Described<"tool">): boolean => request.mcp?.method === "tools/call";

/**
 * Returns the decision on a tool call. The call's id is omitted: it is local to this side, and the conventions list
 * none.
 */
function ranOf({ request, runtime }: { readonly request: ToolRequest; readonly runtime: RuntimeContext }): Attributes {
  const { [ATTR.toolCallId]: _, ...attributes } = toolRan(request.id, runtime);
  return attributes;
}

function member(input: unknown, name: string): string | undefined {
  const value: unknown = Object(input)[name];
  return typeof value === "string" ? value : undefined;
}
