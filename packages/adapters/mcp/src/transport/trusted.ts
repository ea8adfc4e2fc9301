import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

const marked = new WeakSet<Transport>();

/**
 * Marks the transport of a server whose clients may say which trace a call belongs to, and whether it is recorded: those
 * behind your own authentication, say. A client on standard input is trusted unmarked, since it started the server; the
 * trace of any other client is linked.
 *
 * @example
 * ```ts
 * await server.connect(trusted(new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })));
 * ```
 */
export function trusted<T extends Transport>(transport: T): T {
  marked.add(transport);
  return transport;
}

export const isTrusted = (transport: Transport): boolean => marked.has(transport);
