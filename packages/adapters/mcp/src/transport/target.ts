import type { PropagationTarget } from "@suite/core/propagation";
import type { Transport } from "../protocol.js";

/**
 * Returns the target of requests on a transport, which decides whether trace context is sent. The SDK's HTTP transports
 * keep their address private. If none is found on a transport with sessions, no context is sent.
 */
export function targetOf(transport: Transport): PropagationTarget {
  const url = "_url" in transport ? transport._url : "_endpoint" in transport ? transport._endpoint : undefined;
  if (url instanceof URL || typeof url === "string") return { kind: "mcp", transport: "http", url: String(url) };
  return isLocal(transport) ? { kind: "mcp", transport: "stdio" } : { kind: "mcp", transport: "http", url: "" };
}

/**
 * Returns the class name of a transport. `serveStdio` of version 2 gives each server a channel of the transport that it
 * reads.
 */
export function transportName(transport: object): string {
  const { name } = transport.constructor;
  const wire = name === "StdioConnectionChannel" && "_wire" in transport ? transport._wire : undefined;
  return typeof wire === "object" && wire !== null ? wire.constructor.name : name;
}

/** True for standard input and output, or the same process: transports without sessions and HTTP headers. */
export const isLocal = (transport: object): boolean =>
  ["StdioClientTransport", "StdioServerTransport", "InMemoryTransport"].includes(transportName(transport));
