import {
  type Awaitable,
  type CallId,
  definePlugin,
  type Plugin,
  type RuntimeContext,
  signalOf,
  type Tool,
} from "@suite/core";
import type { ToolSteps } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { amount, type Check, callable, count, either, listOf, oneOf, name as text, time } from "@suite/kit/options";
import { callTool, isClient, type McpClient } from "./mcp/client.js";
import { type Elicit, Elicitations } from "./mcp/elicitations.js";
import { type ListedTool, listTools } from "./mcp/list.js";
import { resultOf } from "./mcp/result.js";
import { safeSchema } from "./mcp/schema.js";
import { stopWith } from "./mcp/stop.js";
import { toolName, toolText } from "./mcp/texts.js";
import { checkOptions, invalid } from "./options.js";

/** The progress of a call, as reported by its server. */
export interface McpProgress {
  readonly tool: string;
  readonly progress: number;
  readonly total?: number;
  /** A message from the server. It is untrusted content. */
  readonly message?: string;
}

/** The options of `mcpTools`. */
export interface McpToolsOptions {
  /** The server's tools to offer, by the server's names. Default: all. */
  readonly tools?: readonly string[];
  /** A prefix for each name, so that no server tool can pass for one of yours. Default: `mcp_`. */
  readonly prefix?: string;
  /** The maximum number of tools offered. Default: 64. */
  readonly maxTools?: number;
  /** The maximum number of characters in a result. Default: 30,000. */
  readonly maxCharacters?: number;
  /**
   * The maximum total size in bytes of images and PDF documents in a result. Further ones are only named. Use 0 for
   * models without file input. Default: 2,000,000.
   */
  readonly maxFileBytes?: number;
  /** Milliseconds after which a call without progress times out. Default: 60,000. */
  readonly timeout?: number;
  /** The maximum duration of a call in milliseconds. Default: ten minutes. */
  readonly maxTotalTimeout?: number;
  /** Receives the progress of calls, at most a hundred times per call. */
  readonly onProgress?: (progress: McpProgress, runtime: RuntimeContext, call: CallId) => void;
  /**
   * Answers a server's questions to a person during a call: a function, or `ask` for the approvals of
   * @suite/agent. The client needs the capability `elicitation`. Default: the handler of the client answers.
   */
  readonly elicit?: "ask" | Elicit;
  /** The name on spans and in records, to distinguish servers. Default: `mcp-tools`. */
  readonly name?: string;
}

const prefixed: Check = (value) =>
  typeof value === "string" && /^[\w-]{0,32}$/.test(value) ? undefined : "up to 32 letters, digits, _ or -";

/** The maximum number of progress reports per call. */
const mostProgress = 100;

/**
 * Offers the tools of an MCP server to the model as tools of the run. Each call passes the `tool` hooks, so all guards
 * apply. The server is untrusted: its tool descriptions are limited and sanitized. A result that the server marks as an
 * error is an error.
 *
 * @param client a connected client of either version of the SDK, also one returned by `withPlugins` of @suite/mcp
 * @throws {ToolsError} `ERR_TOOLS_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [guard, mcpTools(client, { prefix: "shop_", tools: ["find_order"] })], … });
 * ```
 */
export function mcpTools(client: McpClient, options: McpToolsOptions = {}): Plugin {
  options = checkOptions("mcpTools", options, checks);
  if (!isClient(client))
    throw invalid("mcpTools() takes a Client of @modelcontextprotocol/sdk 1 or @modelcontextprotocol/client 2.");
  const { name = "mcp-tools", prefix = "mcp_", maxTools = 64, maxCharacters = 30_000, elicit } = options;
  const { maxFileBytes = 2_000_000 } = options;
  const { timeout = 60_000, maxTotalTimeout = 600_000, onProgress } = options;
  const elicitations = elicit === undefined ? undefined : new Elicitations(client, elicit, name);
  // Calls whose server reported an error: by identity, or by their input if a framework has no other identity.
  const failed = new WeakSet<object>();

  const toolOf = (listed: ListedTool, offered: string): Tool => ({
    name: offered,
    description: toolText(listed.description ?? listed.title ?? ""),
    parameters: safeSchema(listed.inputSchema),
    async execute(input: unknown, runtime: RuntimeContext, call: CallId, steps?: ToolSteps) {
      let reported = 0;
      const ended = elicitations?.begin({ tool: offered, runtime, call, steps });
      const stop = stopWith(signalOf(call) ?? runtime.signal);
      try {
        const result = await callTool(
          client,
          { name: listed.name, arguments: isObject(input) ? { ...input } : {} },
          listed.inputSchema,
          {
            signal: stop.signal,
            timeout,
            maxTotalTimeout,
            resetTimeoutOnProgress: true,
            onprogress({ progress, total, message }) {
              if (reported++ >= mostProgress) return;
              const known = { progress, ...(total !== undefined && { total }) };
              const details = { tool: offered, ...known };
              runtime.notify({ type: "decision", plugin: name, decision: "progress", enforced: true, call, details });
              onProgress?.({ tool: offered, ...known, ...(message !== undefined && { message }) }, runtime, call);
            },
          },
        );
        if (result.isError === true) failed.add(call.kind === "tool" ? call : isObject(input) ? input : call);
        return resultOf(result, { maxCharacters, maxFileBytes });
      } finally {
        stop.off();
        ended?.();
      }
    },
  });

  const offer = async (runtime: RuntimeContext): Promise<readonly Tool[]> => {
    const wanted = options.tools === undefined ? undefined : new Set(options.tools);
    const { tools, refused } = await listTools(client, wanted, maxTools, { signal: runtime.signal, timeout });
    const named = tools.map((listed) => ({ listed, offeredName: toolName(prefix, listed.name) }));
    const times = new Map<string, number>();
    for (const { offeredName } of named) times.set(offeredName, (times.get(offeredName) ?? 0) + 1);
    // If two tools have the same name, neither is offered: otherwise their order would decide which one an approval
    // applies to.
    const offered = named.flatMap(({ listed, offeredName }) =>
      times.get(offeredName) === 1 ? [toolOf(listed, offeredName)] : [],
    );
    const details = { offered: offered.length, refused: refused + tools.length - offered.length };
    runtime.notify({ type: "decision", plugin: name, decision: "offered", enforced: true, details });
    return offered;
  };
  const offers = new WeakMap<RuntimeContext, Awaitable<readonly Tool[]>>();

  return definePlugin({
    name,
    settings: {
      prefix,
      tools: options.tools ?? "all",
      maxTools,
      maxCharacters,
      maxFileBytes,
      timeout,
      elicits: elicit !== undefined,
    },
    // Listed once per run, so that the tools do not change during the run.
    tools(runtime) {
      const there = offers.get(runtime) ?? offer(runtime);
      offers.set(runtime, there);
      return there;
    },
    async tool(invocation, callNext) {
      await callNext();
      const input = invocation.reached?.input;
      const isFailure = failed.delete(invocation.call) || (isObject(input) && failed.delete(input));
      if (!isFailure || invocation.result === undefined) return;
      // Use the result as changed by the inner layers.
      invocation.respond({ value: await invocation.result.final(), isError: true });
    },
  });
}

const checks = {
  tools: listOf(text),
  prefix: prefixed,
  maxTools: count,
  maxCharacters: count,
  maxFileBytes: amount,
  timeout: time,
  maxTotalTimeout: time,
  onProgress: callable,
  elicit: either(oneOf("ask"), callable),
  name: text,
};
