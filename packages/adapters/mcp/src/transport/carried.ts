import type { McpCall } from "@suite/core/contract";
import { type JSONRPCRequest, type Transport, versionOf } from "../protocol.js";
import { isLocal, transportName } from "./target.js";

/**
 * Describes a request on a transport for the layers.
 *
 * @param negotiated the protocol version of the connection, if its requests do not name one.
 */
export function carriedBy(
  side: McpCall["side"],
  { method, id, params = {} }: JSONRPCRequest,
  transport: Transport,
  negotiated: string | undefined,
): McpCall {
  const { sessionId } = transport;
  const version = versionOf(params) ?? negotiated;
  const kind = kindOf(transport);
  return {
    side,
    method,
    requestId: String(id),
    ...(sessionId !== undefined && { sessionId }),
    ...(version !== undefined && { protocolVersion: version }),
    ...(kind !== undefined && { transport: kind }),
  };
}

function kindOf(transport: Transport): McpCall["transport"] {
  const name = transportName(transport);
  if (isLocal(transport)) return name.startsWith("Stdio") ? "stdio" : undefined;
  return /HTTP|SSE/.test(name) ? "http" : undefined;
}
