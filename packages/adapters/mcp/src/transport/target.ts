import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { PropagationTarget } from "@suite/core";

/**
 * The target of requests on a transport, for who decides whether the other side is told of the trace. The SDK's HTTP transports
 * keep their address for themselves; where one is not found on a transport that has sessions, nobody is told.
 */
export function targetOf(transport: Transport): PropagationTarget {
  const url = "_url" in transport ? transport._url : "_endpoint" in transport ? transport._endpoint : undefined;
  if (url instanceof URL || typeof url === "string") return { kind: "mcp", transport: "http", url: String(url) };
  return isLocal(transport) ? { kind: "mcp", transport: "stdio" } : { kind: "mcp", transport: "http", url: "" };
}

/** Standard input and output, or the same process: no session, and no version of HTTP headers to keep. */
export const isLocal = (transport: Transport): boolean =>
  ["StdioClientTransport", "StdioServerTransport", "InMemoryTransport"].includes(transport.constructor.name);
