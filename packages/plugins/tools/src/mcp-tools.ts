import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  type Awaitable,
  type CallId,
  definePlugin,
  type Plugin,
  type RuntimeContext,
  signalOf,
  type Tool,
  type ToolSteps,
} from "@suite/core";
import {
  amount,
  type Check,
  callable,
  count,
  either,
  isObject,
  listOf,
  oneOf,
  name as text,
  time,
} from "@suite/core/options";
import { type Elicit, Elicitations } from "./mcp/elicitations.js";
import { type ListedTool, listTools } from "./mcp/list.js";
import { resultOf } from "./mcp/result.js";
import { safeSchema } from "./mcp/schema.js";
import { stopWith } from "./mcp/stop.js";
import { toolName, toolText } from "./mcp/texts.js";
import { checkOptions, invalid } from "./options.js";

/** The progress of a call, as its server tells it. */
export interface McpProgress {
  readonly tool: string;
  readonly progress: number;
  readonly total?: number;
  /** The words of the server: whoever shows them shows what somebody else wrote. */
  readonly message?: string;
}

/** The options of `mcpTools`. */
export interface McpToolsOptions {
  /** The server's tools that are offered, by the server's names. Default: all. */
  readonly tools?: readonly string[];
  /** The letters before each name, so that no tool of a server passes for one of yours. Default: `mcp_`. */
  readonly prefix?: string;
  /** Tools that are offered at most. Default: 64. */
  readonly maxTools?: number;
  /** Characters of a result. Default: 30,000. */
  readonly maxCharacters?: number;
  /**
   * Bytes of the images and PDF documents of a result: more of them are named, and not shown. 0 where the model takes none. Default:
   * 2,000,000.
   */
  readonly maxFileBytes?: number;
  /** Milliseconds of a call without a word of progress. Default: 60,000. */
  readonly timeout?: number;
  /** Milliseconds of a call in all. Default: ten minutes. */
  readonly maxTotalTimeout?: number;
  /** Gets the progress of calls, a hundred times a call at most. */
  readonly onProgress?: (progress: McpProgress, runtime: RuntimeContext, call: CallId) => void;
  /**
   * The answer to what a server asks a person during a call: a function, or `ask`, by which @suite/agent asks by its own means. The
   * client needs the capability `elicitation`. Left out, the client answers as it does.
   */
  readonly elicit?: "ask" | Elicit;
  /** The name on spans and in records, which tells two servers apart. Default: `mcp-tools`. */
  readonly name?: string;
}

const prefixed: Check = (value) =>
  typeof value === "string" && /^[\w-]{0,32}$/.test(value) ? undefined : "up to 32 letters, digits, _ or -";

/** Notes of progress of one call. */
const mostProgress = 100;

/**
 * Offers the model the tools of an MCP server, as tools of the run: each call is one of `tool`, under every guard. The server is a
 * stranger: what it says of its tools is bounded, made harmless and never trusted; a result that it calls a failure is one.
 *
 * @param client connected; one that `withPlugins` of @suite/mcp gave back, too.
 * @throws {ToolsError} `ERR_TOOLS_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [guard, mcpTools(client, { prefix: "shop_", tools: ["find_order"] })], … });
 * ```
 */
export function mcpTools(client: Client, options: McpToolsOptions = {}): Plugin {
  options = checkOptions("mcpTools", options, checks);
  checkClient(client);
  const { name = "mcp-tools", prefix = "mcp_", maxTools = 64, maxCharacters = 30_000, elicit } = options;
  const { maxFileBytes = 2_000_000 } = options;
  const { timeout = 60_000, maxTotalTimeout = 600_000, onProgress } = options;
  const asks = elicit === undefined ? undefined : new Elicitations(client, elicit, name);
  // Calls that their server calls failures: by their identity, or by the input that reached them, where a framework knows no other.
  const failed = new WeakSet<object>();

  const toolOf = (listed: ListedTool, offered: string): Tool => ({
    name: offered,
    description: toolText(listed.description ?? listed.title ?? ""),
    parameters: safeSchema(listed.inputSchema),
    async execute(input: unknown, runtime: RuntimeContext, call: CallId, steps?: ToolSteps) {
      let told = 0;
      const ended = asks?.begin({ tool: offered, runtime, call, steps });
      const stop = stopWith(signalOf(call) ?? runtime.signal);
      try {
        const result = await client.request(
          { method: "tools/call", params: { name: listed.name, arguments: isObject(input) ? { ...input } : {} } },
          CallToolResultSchema,
          {
            signal: stop.signal,
            timeout,
            maxTotalTimeout,
            resetTimeoutOnProgress: true,
            onprogress({ progress, total, message }) {
              if (told++ >= mostProgress) return;
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
    // Of two tools under one name neither is offered: their order would decide which of them an approval is for.
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
    // Asked once a run: what a server says of a tool does not change while the run goes on.
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
      // As the layers inside have let it through.
      invocation.respond({ value: await invocation.result.final(), isError: true });
    },
  });
}

/** Checks that a client is one of version 1 of the SDK. @throws {ToolsError} `ERR_TOOLS_OPTION` */
function checkClient(client: unknown): void {
  if (!isObject(client) || ["request", "callTool", "listTools"].some((name) => typeof client[name] !== "function"))
    throw invalid("mcpTools() takes a Client of @modelcontextprotocol/sdk 1.");
  // The protocol of version 2 makes a context for each request. Results there may ask for input.
  if (!("buildContext" in client)) return;
  throw invalid(
    "This Client is of version 2 of the MCP SDK (@modelcontextprotocol/client), which mcpTools() does not serve yet. Use the one of @modelcontextprotocol/sdk 1.",
  );
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
