import { defineAdapter, type PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { McpAdapterError } from "./errors.js";
import type { Transport } from "./protocol.js";
import { guardedTransport } from "./transport/guarded.js";
import { type AnsweringClient, isAnsweringClient, passQuestions } from "./transport/handlers.js";
import { manually } from "./transport/manual.js";
import { originalOf } from "./transport/protocol-side.js";

/**
 * An MCP client, or a server of either level: `Client`, `Server` or `McpServer` of `@modelcontextprotocol/sdk` 1, of
 * `@modelcontextprotocol/client` 2 or of `@modelcontextprotocol/server` 2.
 */
export interface McpTarget {
  connect(transport: never, options?: never): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns a copy of an MCP client or server with plugins. Connect the copy: the target itself remains without plugins.
 *
 * The plugins are on the transport, so they see all messages in both directions, including those of handlers that were
 * registered before. `tools/call` is a `tool` call, `sampling/createMessage` a `model` call (with `systemPrompt`),
 * `elicitation/create` a `humanInput` call, also if it is a question in a result (`input_required`). `resources/read`,
 * `prompts/get`, `completion/complete` and `tasks/result` are `tool` calls with these names.
 *
 * @throws McpAdapterError `ERR_MCP_TARGET` for any other object.
 * @example
 * ```ts
 * const client = withPlugins(new Client({ name: "desk", version: "1.0.0" }), [tracing(), pii({ email: "redact" })]);
 * await client.connect(transport);
 * ```
 */
export const withPlugins = defineAdapter<
  McpTarget,
  "tool" | "model" | "humanInput" | "memory" | "systemPrompt" | "observe"
>({
  name: "@suite/mcp",
  serves: ["tool", "model", "humanInput", "memory", "systemPrompt", "observe"],
  checkTarget: (target) => void servedBy(target),
  attach: (target, stack) => attach(target, stack),
});

function attach<T extends McpTarget>(target: T, stack: PluginStack): T {
  const { protocol, client } = servedBy(target);
  const runs = new FrameworkRuns(stack);
  if (client !== undefined) passQuestions(client);
  const connect = target.connect as (this: T, transport: Transport, ...rest: unknown[]) => Promise<void>;
  const guarded = (transport: Transport, ...rest: unknown[]): Promise<void> =>
    connect.call(
      target,
      guardedTransport(transport, runs, (method) => handles(protocol, method)),
      ...rest,
    );
  // A lower-level server can also be connected directly.
  const server = protocol === target ? undefined : withPlugins(protocol, stack.plugins, { run: stack.identify });
  return new Proxy(target, {
    get(of, name) {
      if (name === "server" && server !== undefined) return server;
      const value: unknown = Reflect.get(of, name);
      // If a `connect` was assigned to this target, it is called. It calls the `guarded` that it replaced.
      if (name === "connect") return value === connect ? guarded : value;
      if (name === "transport") return originalOf(value);
      if (typeof value !== "function" || name === "constructor") return value;
      return client !== undefined ? manually(name, value.bind(of), runs) : value.bind(of);
    },
    // Not on the proxy, because a setter would not find `#private` fields there.
    set: (of, name, value) => Reflect.set(of, name, value),
  });
}

/**
 * Returns the protocol of a target, and the client if it is one of version 2, which answers questions in results itself.
 *
 * @throws McpAdapterError `ERR_MCP_TARGET`
 */
function servedBy(target: object): { readonly protocol: McpTarget; readonly client?: AnsweringClient } {
  const protocol = protocolOf(target);
  // The protocol of version 2 creates a context for each request.
  const asksCaller = "callTool" in protocol && "buildContext" in protocol;
  return asksCaller ? { protocol, client: answeringClient(protocol) } : { protocol };
}

/**
 * Returns the protocol of a target: of an `McpServer` its lower-level server, else the target itself.
 *
 * @throws McpAdapterError `ERR_MCP_TARGET`
 */
function protocolOf(target: object): McpTarget {
  const protocol: unknown = "server" in target ? target.server : target;
  if (isProtocol(protocol)) return protocol;
  throw new McpAdapterError(
    "ERR_MCP_TARGET",
    "withPlugins() takes a Client, a Server or an McpServer of @modelcontextprotocol/sdk 1, " +
      "@modelcontextprotocol/client 2 or @modelcontextprotocol/server 2.",
  );
}

/**
 * Returns a client of version 2 whose question handlers can have layers.
 *
 * @throws McpAdapterError `ERR_MCP_TARGET` for a version of the SDK that finds its handlers elsewhere.
 */
function answeringClient(client: object): AnsweringClient {
  if (isAnsweringClient(client)) return client;
  throw new McpAdapterError(
    "ERR_MCP_TARGET",
    "This version of @modelcontextprotocol/client is not supported: questions in results would not pass the plugins. " +
      "Use the version that the README of @suite/mcp lists.",
  );
}

/** Returns true if a protocol passes requests of this method to a handler. */
function handles(protocol: McpTarget, method: string): boolean {
  if (!("assertCanSetRequestHandler" in protocol) || typeof protocol.assertCanSetRequestHandler !== "function")
    return true;
  if ("fallbackRequestHandler" in protocol && protocol.fallbackRequestHandler !== undefined) return true;
  try {
    protocol.assertCanSetRequestHandler(method);
    return false;
  } catch {
    return true;
  }
}

const isProtocol = (value: unknown): value is McpTarget =>
  isRecord(value) && typeof value.connect === "function" && typeof value.setRequestHandler === "function";
