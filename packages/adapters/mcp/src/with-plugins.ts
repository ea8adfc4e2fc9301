import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { defineAdapter, type PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import { McpAdapterError } from "./errors.js";
import { guardedTransport } from "./transport/guarded.js";
import { originalOf } from "./transport/protocol-side.js";

/** An MCP client, or a server of either level. */
export type McpTarget = Client | Server | McpServer;

/**
 * Returns a copy of an MCP client or server with plugins. Connect the copy: the target itself remains without plugins.
 *
 * The plugins are on the transport, so they see all messages in both directions, including those of handlers that were
 * registered before. `tools/call` is a `tool` call, `sampling/createMessage` a `model` call (with `systemPrompt`),
 * `elicitation/create` a `humanInput` call. `resources/read`, `prompts/get`, `completion/complete` and `tasks/result`
 * are `tool` calls with these names.
 *
 * @throws McpAdapterError `ERR_MCP_TARGET` for any other object, including those of version 2 of the SDK.
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
  attach: (target, stack) => attach(target, stack),
});

function attach<T extends McpTarget>(target: T, stack: PluginStack): T {
  checkTarget(target);
  const runs = new FrameworkRuns(stack);
  const connect = target.connect as (this: T, transport: Transport, ...rest: unknown[]) => Promise<void>;
  const guarded = (transport: Transport, ...rest: unknown[]): Promise<void> =>
    connect.call(target, guardedTransport(transport, runs), ...rest);
  // A lower-level server can also be connected directly.
  const server = "server" in target ? withPlugins(target.server, stack.plugins, { run: stack.identify }) : undefined;
  return new Proxy(target, {
    get(of, name) {
      if (name === "server" && server !== undefined) return server;
      const value: unknown = Reflect.get(of, name);
      // If a `connect` was assigned to this target, it is called. It calls the `guarded` that it replaced.
      if (name === "connect") return value === connect ? guarded : value;
      if (name === "transport") return originalOf(value);
      return typeof value === "function" && name !== "constructor" ? value.bind(of) : value;
    },
    // Not on the proxy, because a setter would not find `#private` fields there.
    set: (of, name, value) => Reflect.set(of, name, value),
  });
}

const functionsOf = (value: object, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name as keyof typeof value] === "function");

/**
 * Checks that a target belongs to version 1 of the SDK. Objects of version 2 have the same methods, and results that
 * request input (`input_required`), which the layers here would mistake for a tool's answer.
 *
 * @throws McpAdapterError `ERR_MCP_TARGET`
 */
function checkTarget(target: object): void {
  const protocol: unknown = "server" in target ? target.server : target;
  if (typeof protocol !== "object" || protocol === null || !functionsOf(protocol, ["connect", "setRequestHandler"])) {
    throw new McpAdapterError(
      "ERR_MCP_TARGET",
      "withPlugins() takes a Client, a Server or an McpServer of @modelcontextprotocol/sdk 1.",
    );
  }
  // The protocol of version 2 creates a context for each request, in the client and in the server.
  if ("buildContext" in protocol) {
    throw new McpAdapterError(
      "ERR_MCP_TARGET",
      `This ${target.constructor.name} is from version 2 of the MCP SDK (@modelcontextprotocol/client, @modelcontextprotocol/server), ` +
        "which @suite/mcp does not support yet. Use the one from @modelcontextprotocol/sdk 1.",
    );
  }
}
