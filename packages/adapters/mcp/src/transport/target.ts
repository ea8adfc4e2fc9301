import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { PropagationTarget } from "@suite/core/propagation";

/**
 * Returns the target of requests on a transport, which decides whether trace context is sent. The SDK's HTTP transports
 * keep their address private. If none is found on a transport with sessions, no context is sent.
 */
export function targetOf(transport: Transport): PropagationTarget {
  const url = "_url" in transport ? transport._url : "_endpoint" in transport ? transport._endpoint : undefined;
  if (url instanceof URL || typeof url === "string") return { kind: "mcp", transport: "http", url: String(url) };
  return isLocal(transport) ? { kind: "mcp", transport: "stdio" } : { kind: "mcp", transport: "http", url: "" };
}

/** True for standard input and output, or the same process: transports without sessions and HTTP headers. */
export const isLocal = (transport: Transport): boolean =>
  ["StdioClientTransport", "StdioServerTransport", "InMemoryTransport"].includes(transport.constructor.name);
