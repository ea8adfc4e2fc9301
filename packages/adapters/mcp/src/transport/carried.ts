import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { McpCall } from "@suite/core/contract";
import { isLocal } from "./target.js";

/** Describes a request on a transport for the layers. */
export function carriedBy(side: McpCall["side"], { method, id }: JSONRPCRequest, transport: Transport): McpCall {
  const { sessionId } = transport;
  const version = "protocolVersion" in transport ? transport.protocolVersion : undefined;
  const kind = kindOf(transport);
  return {
    side,
    method,
    requestId: String(id),
    ...(sessionId !== undefined && { sessionId }),
    ...(typeof version === "string" && { protocolVersion: version }),
    ...(kind !== undefined && { transport: kind }),
  };
}

function kindOf(transport: Transport): McpCall["transport"] {
  if (isLocal(transport)) return transport.constructor.name.startsWith("Stdio") ? "stdio" : undefined;
  return /HTTP|SSE/.test(transport.constructor.name) ? "http" : undefined;
}
