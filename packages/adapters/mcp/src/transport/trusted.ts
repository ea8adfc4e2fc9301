const marked = new WeakSet<object>();

/**
 * Marks the transport of a server whose clients may set the trace of a call, and whether it is recorded. Use it for
 * clients that you authenticate, for example. A client on standard input is trusted without a mark, because it started
 * the server. The trace of any other client is linked.
 *
 * @example
 * ```ts
 * await server.connect(trusted(new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID })));
 * ```
 */
export function trusted<T extends object>(transport: T): T {
  marked.add(transport);
  return transport;
}

export const isTrusted = (transport: object): boolean => marked.has(transport);
