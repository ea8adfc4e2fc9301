import type { McpCall } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import { type JSONRPCRequest, type Transport, versionOf } from "../protocol.js";
import { isLocal, transportName } from "./target.js";

/** A transport with layers. */
export interface Connection {
  readonly runs: FrameworkRuns;
  readonly transport: Transport;
  /** The protocol version of the connection, if its requests do not name one. */
  readonly negotiated: string | undefined;
}

/** Describes a request on a connection for the layers. */
export function carriedBy(
  side: McpCall["side"],
  { method, id, params = {} }: JSONRPCRequest,
  { transport, negotiated }: Pick<Connection, "transport" | "negotiated">,
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
