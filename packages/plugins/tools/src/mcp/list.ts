import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "@suite/kit";
import { stopWith } from "./stop.js";

/** A tool as listed by a server. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** The maximum number of pages requested. A server's list may have no end. */
const mostPages = 50;

/**
 * Lists the tools of a server that are wanted, valid according to the protocol, and callable without a task. If two
 * have the same name, the first one counts.
 */
export async function listTools(
  client: Client,
  wanted: ReadonlySet<string> | undefined,
  maxTools: number,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<{ readonly tools: readonly ListedTool[]; readonly refused: number }> {
  const tools = new Map<string, ListedTool>();
  let refused = 0;
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    // Not `client.listTools()`: it compiles all output schemas, and fails for all tools if one is invalid.
    const { signal, off } = stopWith(options.signal);
    const asked = { signal, timeout: options.timeout };
    const result = await client.request({ method: "tools/list", params }, ResultSchema, asked).finally(off);
    for (const listed of Array.isArray(result.tools) ? (result.tools as readonly unknown[]) : []) {
      const tool = toolIn(listed);
      if (tool !== undefined && wanted?.has(tool.name) === false) continue;
      if (tool === undefined || tools.has(tool.name) || tools.size >= maxTools) refused++;
      else tools.set(tool.name, tool);
    }
    const { nextCursor } = result;
    if (typeof nextCursor !== "string" || nextCursor === cursor || tools.size >= maxTools) break;
    cursor = nextCursor;
  }
  return { tools: [...tools.values()], refused };
}

function toolIn(listed: unknown): ListedTool | undefined {
  if (!isObject(listed)) return undefined;
  // Any schema is accepted here, because it is sanitized later.
  const { success, data } = ToolSchema.safeParse({
    ...listed,
    inputSchema: { type: "object" },
    outputSchema: undefined,
  });
  if (!success || data.name.length > 200 || data.execution?.taskSupport === "required") return undefined;
  return { name: data.name, title: data.title, description: data.description, inputSchema: listed.inputSchema };
}
